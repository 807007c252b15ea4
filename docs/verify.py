"""Checks a pack of the audit log, as audit.md says: a second implementation, with OpenSSL 3 for the signatures."""
import argparse, base64, hashlib, itertools, json, re, subprocess, sys, tempfile, time
from datetime import datetime, timedelta

RETENTION_DAYS = 2192  # the log keeps an entry for so many days, unless you say otherwise
DAY = 86_400_000  # milliseconds
NEVER_DROPPED = "enrolment", "log_key", "retention", "restored"
HEAD = {"pack": int, "origin": str, "vkeys": list, "size": int, "made_at": str, "callers": list}
ANCHOR = {"size": int, "note": str, "kind": str, "at": int, "proof": str}
NONE = type(None)
LEAF = {
    "v": [int], "at": [int], "times": [int], "about": [dict, NONE],
    **dict.fromkeys(["id", "event", "caller", "operation", "code"], [str]),
    **dict.fromkeys(["app", "record_id", "operation_id", "request_id"], [str, NONE]),
}
FAULTS = ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError

def must(holds, what):
    if not holds: raise ValueError(what)

def sha(data): return hashlib.sha256(data).digest()
def text_of(value): return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
def bytes_of(text):
    must(base64.b64encode(base64.b64decode(text)).decode() == text, "base64")
    return base64.b64decode(text)

# JSON in the one form in which it is written; the names of an entry stand in the order of RFC 8785.
def in_leaf(pair): return pair[0].encode("utf-16-be")
def in_row(pair):  # as JavaScript has it: names that are whole numbers come first
    return int(pair[0]) if re.fullmatch("0|[1-9][0-9]{0,9}", pair[0]) and int(pair[0]) < 2**32 - 1 else 2**32
def whole(text):
    must(len(text) < 18 and abs(int(text)) < 2**53, "form: a number of 2^53 or more")
    return int(text)
def refuse(_): must(False, "form: a number that is not whole")
def parsed(text, order):
    numbers = {"parse_int": whole, "parse_float": refuse, "parse_constant": refuse}
    value = json.loads(text, object_pairs_hook=lambda pairs: dict(sorted(pairs, key=order)), **numbers)
    must(text_of(value) == text, "form")
    return value

def leaf_of(text):
    leaf = parsed(text, in_leaf)
    must(leaf.keys() == LEAF.keys() and all(type(leaf[name]) in kinds for name, kinds in LEAF.items()), "form: an entry")
    must(leaf["v"] == 1 and all(type(one) in (str, int, bool, NONE) for one in (leaf["about"] or {}).values()), "form: an entry")
    return leaf

def root(hashes):  # RFC 6962, section 2.1
    if len(hashes) < 2: return hashes[0] if hashes else sha(b"")
    half = 1 << (len(hashes) - 1).bit_length() - 1
    return sha(b"\1" + root(hashes[:half]) + root(hashes[half:]))

def key_of(vkey):
    name, number, key = vkey.split("+", 2)
    must(re.fullmatch(r"[^\s\x00-\x1f\x7f-\x9f\ufeff]+", name) and len(bytes_of(key)) == 33 and bytes_of(key)[0] == 1, "key")
    must(sha(f"{name}\n".encode() + bytes_of(key))[:4].hex() == number, "key")
    return name, bytes.fromhex(number), bytes_of(key)[1:]

def is_signed(key, sig, text):  # Ed25519, by OpenSSL 3
    with tempfile.TemporaryDirectory() as folder:
        der = bytes.fromhex("302a300506032b6570032100") + key
        for name, data in ("key", der), ("sig", sig), ("text", text): open(f"{folder}/{name}", "wb").write(data)
        command = "openssl pkeyutl -verify -rawin -pubin -keyform DER -inkey key -sigfile sig -in text"
        return subprocess.run(command.split(), cwd=folder, capture_output=True).returncode == 0

def signers(note, origin, hashes, vkeys, restored=()):  # C2SP signed-note and tlog-checkpoint
    text, _, lines = note.rpartition("\n\n")
    name, size, digest = text.split("\n")
    must(name == origin and size == str(int(size)) and int(size) >= 0, "origin or size")
    is_whole = int(size) <= len(hashes) and bytes_of(digest) == root(hashes[:int(size)])
    lost = [i for i, kept in restored if int(size) > kept]
    must(is_whole or lost, "these are not the entries that were signed")
    must(lines.endswith("\n") and not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", note), "note")
    found = set()
    for line in lines[:-1].split("\n"):
        who, blob = re.fullmatch(r"— ([^\s+\ufeff]+) ([^\s\ufeff]+)", line).groups()
        must(len(bytes_of(blob)) > 4, "signature")
        for vkey in (one for one in vkeys if key_of(one)[:2] == (who, bytes_of(blob)[:4])):
            must(is_signed(key_of(vkey)[2], bytes_of(blob)[4:], f"{text}\n".encode()), "signature")
            found.add(vkey)
    must(found, "not signed by a key of this log")
    if not is_whole: print(f"A checkpoint that you kept is of the part that was lost at entry {lost[0]}, when the log was restored.")
    return found, int(size)

def hidden_in(leaves, days):  # how many entries are there only as hashes, and the time that all are older than
    hidden = [i for i, leaf in enumerate(leaves) if leaf is None]
    whole = [(i, leaf) for i, leaf in enumerate(leaves) if leaf]
    if not hidden: return 0, None
    is_prefix = all(i > hidden[-1] or leaf["event"] in NEVER_DROPPED for i, leaf in whole)
    for i, leaf in whole if is_prefix else []:
        at, about = leaf["at"], leaf["about"] or {}
        below, older_than = about.get("dropped_below"), about.get("older_than")
        if leaf["event"] != "retention" or type(below) != int or type(older_than) != int: continue
        there = [one for _, one in itertools.takewhile(lambda one: one[0] < below, whole)]
        kept = sum(one["event"] in NEVER_DROPPED for one in there)
        if (hidden[-1] < below <= i and older_than <= at - days * DAY and at <= time.time() * 1000 + DAY
                and all(one["at"] < older_than for one in there)
                and text_of(about.get("kept", kept)) == str(kept)): return len(hidden), older_than
    must(False, f"entries up to {hidden[-1]} are hidden, and the log does not say that it kept them all for {days} days")

def verify(pack, given=None, held=(), retention_days=RETENTION_DAYS):
    lines = open(pack, encoding="utf-8", newline="").read().split("\n")
    must(lines.pop() == "", "not a whole pack")
    rows = [parsed(line, in_row) for line in lines]
    header, size, last = rows[0], rows[0]["size"], rows[-1]
    must(list(header)[:len(HEAD)] == list(HEAD) and all(type(header[name]) is kind for name, kind in HEAD.items()), "head")
    must(header["pack"] == 1 and size >= 0 and header["vkeys"], "head")
    hashes, leaves, seen = [], [], set()
    for i, row in enumerate(rows[1:size + 1]):
        must(text_of(row) in [text_of({"i": i, kind: row.get(kind)}) for kind in ("leaf", "hash")], f"entry {i}")
        hashes.append(sha(b"\0" + row["leaf"].encode()) if "leaf" in row else bytes_of(row["hash"]))
        must(len(hashes[i]) == 32, f"entry {i}")
        leaves.append(leaf_of(row["leaf"]) if "leaf" in row else None)
        must(not leaves[i] or (leaves[i]["at"], leaves[i]["id"]) not in seen, f"entry {i} is there already")
        if leaves[i]: seen.add((leaves[i]["at"], leaves[i]["id"]))
    announced = {leaf["about"]["vkey"] for leaf in leaves if leaf and leaf["event"] == "log_key"}
    vkeys = {*header["vkeys"], *announced, *([given.strip()] if given else [])}
    must(all(key_of(vkey) for vkey in vkeys), "key")
    used, covered = signers(last["checkpoint"], header["origin"], hashes, vkeys)
    must(covered == size == len(hashes) and last == {"checkpoint": last["checkpoint"]}, "size")
    must(not given or given.strip() in used, "not signed by the key that you gave")
    for row in rows[size + 1:-1]:
        anchor = row["anchor"]
        must(list(row) == ["anchor"] and list(anchor) == list(ANCHOR), "anchor")
        must(all(type(anchor[name]) is kind for name, kind in ANCHOR.items()), "anchor")
        signed, covered = signers(anchor["note"], header["origin"], hashes, vkeys)
        digest, proof = sha(anchor["note"].encode()), bytes_of(anchor["proof"])
        must(covered == anchor["size"] and (anchor["kind"] != "timestamp" or digest in proof), "anchor")
        used |= signed
    restored = [(i, leaf["about"]["size"]) for i, leaf in enumerate(leaves) if leaf and leaf["event"] == "restored"]
    for path in held: used |= signers(open(path, encoding="utf-8").read(), header["origin"], hashes, vkeys, restored)[0]
    must(used | announced >= set(header["vkeys"]), "a key that signed nothing")
    return size, *hidden_in(leaves, retention_days)

def day_of(at):
    try: return f"{datetime(1970, 1, 1) + timedelta(milliseconds=at):%d %B %Y}".lstrip("0")
    except OverflowError: return "a day that no calendar has"

if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("pack")
    asked.add_argument("key", nargs="?", help="of the log, as you got it by another way than the pack")
    asked.add_argument("held", nargs="*", help="checkpoints that you kept")
    asked.add_argument("--retention-days", type=int, default=RETENTION_DAYS, choices=range(1, 100_000), metavar="DAYS",
                       help=f"for how many days the log has to keep its entries, as was agreed ({RETENTION_DAYS})")
    files = asked.parse_intermixed_args()
    try:
        size, hidden, until = verify(files.pack, files.key, files.held, files.retention_days)
        also = f"; {hidden} of them {'is' if hidden == 1 else 'are'} hidden, until {day_of(until)}" if hidden else ""
        print(f"Nothing is wrong with these {size} entries{also}.")
    except FAULTS as fault:
        sys.exit(f"THIS PACK IS NOT GOOD: {fault}")
