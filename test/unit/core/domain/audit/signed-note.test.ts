import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'

import { expect, test } from 'vitest'

import {
  leafHash,
  merkleTreeOf,
  provesInclusion,
} from '../../../../../src/core/domain/audit/merkle-tree.ts'
import {
  base64,
  formatCheckpoint,
  formatInclusionProof,
  formatNote,
  formatVkey,
  fromBase64,
  noteKeyId,
  parseCheckpoint,
  parseInclusionProof,
  parseNote,
  parseVkey,
  signaturesBy,
} from '../../../../../src/core/domain/audit/signed-note.ts'
import { NOTE_VECTOR } from '../../../../support/note-vector.ts'

const { seed, leaves, origin: ORIGIN, vkey: VKEY, note: NOTE, proofOf1: PROOF_OF_1 } = NOTE_VECTOR
const leafHashes = Promise.all(leaves.map((leaf) => leafHash(Buffer.from(leaf))))

const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
  format: 'der',
  type: 'pkcs8',
})
const publicKey = Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x!, 'base64url')

test('the note of the test vector is made from its seed and its leaves, byte for byte', async () => {
  const root = await merkleTreeOf(await leafHashes).root(3)
  const text = formatCheckpoint({ origin: ORIGIN, size: 3, root })
  const keyId = await noteKeyId(ORIGIN, publicKey)
  expect(formatVkey({ name: ORIGIN, keyId, publicKey })).toBe(VKEY)
  const signature = sign(null, Buffer.from(text), privateKey)
  expect(formatNote({ text, signatures: [{ name: ORIGIN, keyId, signature }] })).toBe(NOTE)
})

test('the note of the test vector reads back, and its signature is by its key', async () => {
  const note = parseNote(NOTE)
  const key = await parseVkey(VKEY)
  const [signature] = signaturesBy(note, key)
  expect(verify(null, Buffer.from(note.text), createPublicKey(privateKey), signature!)).toBe(true)
  const { size, root } = parseCheckpoint(note.text, ORIGIN)
  expect([size, base64(root)]).toEqual([3, 'NmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE='])
})

test('the proof of the test vector is made, reads back and proves its leaf', async () => {
  const hashes = await leafHashes
  const proof = await merkleTreeOf(hashes).inclusionProof(1, 3)
  expect(proof.map(base64)).toEqual(PROOF_OF_1)
  const text = formatInclusionProof({ index: 1, hashes: proof, note: NOTE })
  expect(text).toBe(`c2sp.org/tlog-proof@v1\nindex 1\n${PROOF_OF_1.join('\n')}\n\n${NOTE}`)
  const read = parseInclusionProof(text)
  const checkpoint = parseCheckpoint(parseNote(read.note).text, ORIGIN)
  expect(await provesInclusion(read.hashes, hashes[1]!, read.index, checkpoint)).toBe(true)
})

test('the only entry of a log has a proof without hashes, and it reads back', () => {
  const text = formatInclusionProof({ index: 0, hashes: [], note: NOTE })
  expect(parseInclusionProof(text)).toEqual({ index: 0, hashes: [], note: NOTE })
})

test('a note may carry signatures by others, which are kept apart by name and id of the key', async () => {
  const key = await parseVkey(VKEY)
  const [mine] = parseNote(NOTE).signatures
  const other = { ...mine!, name: 'example.com/foo' }
  const older = { ...mine!, keyId: Uint8Array.of(1, 2, 3, 4) }
  const note = parseNote(formatNote({ ...parseNote(NOTE), signatures: [other, older, mine!] }))
  expect(note.signatures.length).toBe(3)
  expect(signaturesBy(note, key)).toEqual([mine!.signature])
})

test.each([
  ['with a carriage return', NOTE.replace('\n', '\r\n')],
  ['with a tab', NOTE.replace('trail\n', 'trail\t\n')],
  ['without a blank line', NOTE.replace('\n\n', '\n')],
  ['without a signature', NOTE.slice(0, NOTE.indexOf('—'))],
  ['without its last line break', NOTE.slice(0, -1)],
  ['with a hyphen for the dash', NOTE.replace('—', '-')],
  ['with two spaces', NOTE.replace('— ', '—  ')],
  ['whose signature is not base64', NOTE.replace('DTQl', 'DT*l')],
  ['whose base64 is not canonical', NOTE.replace('1Ak=', '1Al=')],
  ['whose base64 lacks its padding', NOTE.replace('1Ak=', '1Ak')],
  ['whose signature is shorter than the id of its key', NOTE.replace(/DTQl\S+/, 'DTQ=')],
  ['with a plus in a name', NOTE.replace('— consult', '— con+sult')],
  ['with half a surrogate pair', NOTE.replace('consult', '\ud800')],
])('a note %s is refused', (_, note) => {
  expect(() => parseNote(note)).toThrow('not')
})

const ROOT = 'NmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE='

test('a checkpoint of the log that is expected is read', () => {
  const text = `${ORIGIN}\n3\n${ROOT}\n`
  expect(formatCheckpoint(parseCheckpoint(text, ORIGIN))).toBe(text)
})

test.each([
  ['of another log', `other.example.com/trail\n3\n${ROOT}\n`],
  ['whose size has a leading zero', `${ORIGIN}\n03\n${ROOT}\n`],
  ['whose size has a sign', `${ORIGIN}\n+3\n${ROOT}\n`],
  ['whose size is beyond what is counted exactly', `${ORIGIN}\n9007199254740993\n${ROOT}\n`],
  ['whose root is too short', `${ORIGIN}\n3\nNmQu\n`],
  ['whose root is not canonical base64', `${ORIGIN}\n3\n${ROOT.replace('E=', 'F=')}\n`],
  ['with a line more', `${ORIGIN}\n3\n${ROOT}\nmore\n`],
  ['with a line less', `${ORIGIN}\n3\n`],
])('a checkpoint %s is refused', (_, text) => {
  expect(() => parseCheckpoint(text, ORIGIN)).toThrow(/not/)
})

test.each([
  ['with another id', VKEY.replace('0d342587', '0d342588')],
  ['with an id in capitals', VKEY.replace('0d342587', '0D342587')],
  ['under another name', VKEY.replace('consult.', 'consul.')],
  ['of another type', VKEY.replace('+AQOh', '+AgOh')],
  ['cut short', VKEY.slice(0, -4)],
  ['without a name', VKEY.slice(ORIGIN.length)],
])('a key %s is refused', async (_, vkey) => {
  await expect(parseVkey(vkey)).rejects.toThrow(/key/)
})

test('a key under another name is read, and writes itself again', async () => {
  const name = 'example.com/foo'
  const vkey = formatVkey({ name, keyId: await noteKeyId(name, publicKey), publicKey })
  expect(await parseVkey(vkey)).toMatchObject({
    name,
    publicKey: new Uint8Array(publicKey),
  })
})

test.each([
  ['with a carriage return', 'c2sp.org/tlog-proof@v1\r\nindex 1\n\n'],
  ['of another version', 'c2sp.org/tlog-proof@v2\nindex 1\n\n'],
  ['whose index has a leading zero', 'c2sp.org/tlog-proof@v1\nindex 01\n\n'],
  ['with extra data', 'c2sp.org/tlog-proof@v1\nextra YQ==\nindex 1\n\n'],
  ['with a hash that is too short', 'c2sp.org/tlog-proof@v1\nindex 1\nYQ==\n\n'],
])('a proof %s is refused', (_, head) => {
  expect(() => parseInclusionProof(`${head}${NOTE}`)).toThrow()
})

test('base64 has one spelling for each text', () => {
  for (const text of ['', 'YQ==', 'YWI=', 'YWJj', '+/+/'])
    expect(base64(fromBase64(text))).toBe(text)
  for (const text of ['YQ', 'YQ=', 'YR==', 'YWJ=', 'YW Jj', 'YWJj\n', '-_-_'])
    expect(() => fromBase64(text)).toThrow('base64')
})
