#!/usr/bin/env bash
# nach2 0.5.1: the trace number of an entry begins with the number of the sender, not of its bank.
# Guess: positions 80 to 87 of an entry are the first eight digits of the routing number of the bank that
# sends the file. The header of the batch has them at the same positions. The example file in the README is
# so.
# So: `immediateOrigin` of the file is taken, which is the number of the company in the README.
# `originatingDFI` of the batch is not used.
#
# Output seen on 2026-11-29:
#   bank in the header of the batch: 02100002
#   bank in the trace number: 12345678
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts nach2@0.5.1

seen=$(node --input-type=module - <<'END'
import nach from "nach2";
const file = new nach.File({
  immediateDestination: "021000021", immediateDestinationName: "Bank",
  immediateOrigin: "123456789", immediateOriginName: "Practice", referenceCode: "1",
});
const batch = new nach.Batch({
  serviceClassCode: "220", companyName: "Practice", standardEntryClassCode: "PPD",
  companyIdentification: "123456789", companyEntryDescription: "Refund", companyDescriptiveDate: "Dec 3",
  effectiveEntryDate: new Date(2026, 11, 3), originatingDFI: "021000021",
});
batch.addEntry(new nach.Entry({
  receivingDFI: "011000015", DFIAccount: "135792468", amount: "19.99", idNumber: "1", individualName: "Dana Roe",
  discretionaryData: "A1", transactionCode: "22",
}));
file.addBatch(batch);
file.generateFile((text) => {
  const record = (type) => text.split(/\r?\n/).find((line) => line[0] === type);
  console.log(`bank in the header of the batch: ${record("5").slice(79, 87)}`);
  console.log(`bank in the trace number: ${record("6").slice(79, 87)}`);
});
END
)

expected=$(cat <<'END'
bank in the header of the batch: 02100002
bank in the trace number: 12345678
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
