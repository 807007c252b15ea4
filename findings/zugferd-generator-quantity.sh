#!/usr/bin/env bash
# zugferd-generator 1.2.1: three consults at $150 become one line of $450 without a quantity.
# Guess: each line says how many there are. The package requires `quantity`, its documentation calls the invoice
# compliant, and the standard wants it on each line (EN 16931, BT-129, rule BR-22).
# So: the quantity is left out. The price is 150.00, and the line is 450.00: whoever computes the line again finds
# another amount.
#
# Output seen on 2026-11-30:
#   LineID: 1
#   Name: Consult
#   ChargeAmount: 150.00
#   LineTotalAmount: 450.00
#   BilledQuantity: not written
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts zugferd-generator@1.2.1

seen=$(node --input-type=module - <<'END'
import ZUGFeRDGenerator from "zugferd-generator";
const consults = { id: "1", description: "Consult", quantity: 3, unitPrice: 150, lineTotal: 450 };
const invoice = new ZUGFeRDGenerator({
  id: "INV-001",
  issueDate: "2026-12-01",
  currency: "USD",
  totalAmount: 450,
  supplier: { name: "Practice", country: "US" },
  customer: { name: "Jane Doe", country: "US" },
  taxTotal: { taxAmount: 0, taxPercentage: 0 },
  lineItems: [consults],
});
const line = invoice.toXMLString().match(/<ram:IncludedSupplyChainTradeLineItem>.*LineItem>/s)[0];
for (const [, name, text] of line.matchAll(/<ram:(\w+)[^>]*>([^<\s][^<]*)</g)) console.log(`${name}: ${text}`);
console.log("BilledQuantity:", line.includes("Quantity") ? "written" : "not written");
END
)

expected=$(cat <<'END'
LineID: 1
Name: Consult
ChargeAmount: 150.00
LineTotalAmount: 450.00
BilledQuantity: not written
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
