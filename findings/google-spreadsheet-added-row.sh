#!/usr/bin/env bash
# google-spreadsheet 5.3.0: to delete a row that was added can delete that of somebody else.
# Guess: `row.delete()` deletes that row. When a row above is deleted, the number of a row is lowered, and
# `addRow` gives a row as `getRows` does (documentation, Row, Initialization).
# So: only the rows of the last `getRows` move up. One that was added keeps its number, so that it deletes and
# saves the row below, which is another client's. Ann is replaced by Dora, Dora is then taken off, and Eve is
# gone.
#
# Output seen on 2026-11-30:
#   Dora is in the row of Dora, by her number Dora
#   after Ann was deleted: Dora, by her number Eve
#   Dora was deleted, left are: Ben, Dora
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts google-spreadsheet@5.3.0

seen=$(node --input-type=module - <<'END'
import { GoogleSpreadsheet } from "google-spreadsheet";
const column = ["name", "Ann", "Ben"];
const gridProperties = { rowCount: 100, columnCount: 1 };
const properties = { sheetId: 0, title: "Clients", index: 0, sheetType: "GRID", gridProperties };
const sheets = { properties: {}, sheets: [{ properties }] };
const answers = {
  batchGet: () => ({ valueRanges: [{ values: [[column[0]]] }, { values: column.slice(1).map((name) => [name]) }] }),
  append: ({ values }) => {
    const number = column.push(...values[0]);
    return { updates: { updatedRange: `Clients!A${number}:A${number}`, updatedData: { values } } };
  },
  batchUpdate: ({ requests: [{ deleteRange }] }) => {
    const { startRowIndex, endRowIndex } = deleteRange.range;
    column.splice(startRowIndex, endRowIndex - startRowIndex);
    return { replies: [{}], updatedSpreadsheet: sheets };
  },
};
globalThis.fetch = async (request) => {
  const body = request.method === "POST" ? await request.json() : undefined;
  const answer = answers[new URL(request.url).pathname.split(":").pop()];
  return Response.json(answer ? answer(body) : { spreadsheetId: "id", ...sheets });
};
const document = new GoogleSpreadsheet("id", { token: "token" });
await document.loadInfo();
const [sheet] = document.sheetsByIndex;
const [ann] = await sheet.getRows();
const dora = await sheet.addRow({ name: "Dora" });
await sheet.addRow({ name: "Eve" });
console.log(`Dora is in the row of ${dora.get("name")}, by her number ${column[dora.rowNumber - 1]}`);
await ann.delete();
console.log(`after Ann was deleted: ${dora.get("name")}, by her number ${column[dora.rowNumber - 1]}`);
await dora.delete();
console.log(`Dora was deleted, left are: ${column.slice(1).join(", ")}`);
END
)

expected=$(cat <<'END'
Dora is in the row of Dora, by her number Dora
after Ann was deleted: Dora, by her number Eve
Dora was deleted, left are: Ben, Dora
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
