import { expect, onTestFinished, test } from 'vitest'

import { base64url, fromBase64url, fromHex, hex } from '../../../../src/core/crypto/encoding.ts'

/** Every byte, in texts of every length modulo three. */
const TEXTS = [0, 1, 2, 3, 255, 256].map((length) =>
  Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256),
)

/** Node 24 has neither function, so what the runtime does is played by Buffer for one test. */
function giveRuntimeEncoding(): void {
  const own = {
    toBase64(this: Uint8Array, options: { alphabet: string; omitPadding: boolean }) {
      expect(options).toEqual({ alphabet: 'base64url', omitPadding: true })
      return Buffer.from(this).toString('base64url')
    },
    toHex(this: Uint8Array) {
      return Buffer.from(this).toString('hex')
    },
  }
  for (const [name, value] of Object.entries(own)) {
    const before = Object.getOwnPropertyDescriptor(Uint8Array.prototype, name)
    Object.defineProperty(Uint8Array.prototype, name, { value, configurable: true })
    onTestFinished(() => {
      if (before) Object.defineProperty(Uint8Array.prototype, name, before)
      else Reflect.deleteProperty(Uint8Array.prototype, name)
    })
  }
}

const encoded = () =>
  TEXTS.map((bytes) => [base64url(bytes), base64url(bytes.slice().buffer), hex(bytes)])

test('base64url and hex are the same by the runtime as by our own code, and read back', () => {
  const byOwnCode = encoded()
  giveRuntimeEncoding()
  expect(encoded()).toEqual(byOwnCode)
  for (const [index, [text, ofBuffer, digits]] of byOwnCode.entries()) {
    const bytes = TEXTS[index]!
    expect(text).toBe(Buffer.from(bytes).toString('base64url'))
    expect(ofBuffer).toBe(text)
    expect(fromBase64url(text!)).toEqual(bytes)
    expect(fromHex(digits!)).toEqual(bytes.length > 0 ? bytes : undefined)
  }
})
