#!/usr/bin/env bash
# node-quickbooks 2.0.50: of three conditions, the one that follows `count` is lost.
# Guess: the conditions of a query have no order. The README takes an array of them, and `count: true` for the
# number of rows in place of the rows. The types of the package allow `count` in an entry.
# So: where `count` is the second entry, it is taken out together with the entry after it, and as the third,
# with two. The unpaid invoices of one client become those of all clients. QuickBooks answers with a number,
# so that nothing looks wrong. As the first or the last entry it is right.
#
# Output seen on 2026-12-01:
#   select count(*) from invoice where Balance > 0 and CustomerRef = '7'
#   select count(*) from invoice where Balance > 0
#   select count(*) from invoice where Balance > 0 and CustomerRef = '7'
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-quickbooks@2.0.50

seen=$(node --input-type=module - <<'END'
import { createServer } from "node:http";
import QuickBooks from "node-quickbooks";
const server = createServer((request, response) => {
  console.log(decodeURIComponent(request.url).replace(/^.*query=/, "").replace(/ startposition.*$/, ""));
  response.setHeader("content-type", "application/json").end(`{"QueryResponse":{"totalCount":3}}`);
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const company = new QuickBooks("key", "secret", "token", false, "1", true, false, null, "2.0", "refresh");
company.endpoint = `http://127.0.0.1:${server.address().port}/v3/company/`;
const unpaid = { field: "Balance", value: 0, operator: ">" };
const client = { field: "CustomerRef", value: "7" };
const count = { count: true };
for (const criteria of [[unpaid, client, count], [unpaid, count, client], [count, unpaid, client]])
  await new Promise((answered) => company.findInvoices(criteria, answered));
server.close();
END
)

expected=$(cat <<'END'
select count(*) from invoice where Balance > 0 and CustomerRef = '7'
select count(*) from invoice where Balance > 0
select count(*) from invoice where Balance > 0 and CustomerRef = '7'
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
