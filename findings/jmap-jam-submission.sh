#!/usr/bin/env bash
# jmap-jam 0.13.1: a message that was sent looks as if it was not.
# Guess: the result of a call in `requestMany` is the answer to that call, as the types have it: what was created is
# in `created`, or it is in `notCreated`.
# So: a call that also takes the draft mark off has two answers with one id, the second of them of an Email/set
# (RFC 8621, section 7.5), and only the second is kept. Neither list is there, and a program that then sends once
# more doubles the message.
#
# Output seen on 2026-11-30:
#   the server answers: ["EmailSubmission/set",{"accountId":"practice","created":{"reminder":{"id":"1"}}},"sent"]
#   the server answers: ["Email/set",{"accountId":"practice","updated":{"draft":null}},"sent"]
#   EmailSubmission.set alone: {"accountId":"practice","created":{"reminder":{"id":"1"}}}
#   in requestMany: {"accountId":"practice","updated":{"draft":null}}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts jmap-jam@0.13.1

seen=$(node --input-type=module - <<'END'
import JamClient from "jmap-jam";
const sending = {
  accountId: "practice",
  create: { reminder: { emailId: "draft", identityId: "office" } },
  onSuccessUpdateEmail: { "#reminder": { "keywords/$draft": null } },
};
const session = { apiUrl: "https://mail.example/api" };
let methodResponses;
globalThis.fetch = async (address, request) => {
  if (address !== session.apiUrl) return Response.json(session);
  const [[, , id]] = JSON.parse(request.body).methodCalls;
  methodResponses = [
    ["EmailSubmission/set", { accountId: "practice", created: { reminder: { id: "1" } } }, id],
    ["Email/set", { accountId: "practice", updated: { draft: null } }, id],
  ];
  return Response.json({ sessionState: "1", methodResponses });
};
const client = new JamClient({ sessionUrl: "https://mail.example/session", bearerToken: "secret" });
const [alone] = await client.api.EmailSubmission.set(sending);
const [{ sent }] = await client.requestMany((jmap) => ({ sent: jmap.EmailSubmission.set(sending) }));
for (const response of methodResponses) console.log("the server answers:", JSON.stringify(response));
console.log("EmailSubmission.set alone:", JSON.stringify(alone));
console.log("in requestMany:", JSON.stringify(sent));
END
)

expected=$(cat <<'END'
the server answers: ["EmailSubmission/set",{"accountId":"practice","created":{"reminder":{"id":"1"}}},"sent"]
the server answers: ["Email/set",{"accountId":"practice","updated":{"draft":null}},"sent"]
EmailSubmission.set alone: {"accountId":"practice","created":{"reminder":{"id":"1"}}}
in requestMany: {"accountId":"practice","updated":{"draft":null}}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
