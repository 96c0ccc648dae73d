import { randomBytes } from 'node:crypto'
import t from 'tap'
import { seal, unseal } from '../../gateway/base/seal.ts'
import { hashSecret, newSecret, readSecret } from '../../gateway/identity/api-key.ts'

t.test('a secret says its environment and carries its own checksum', async (t) => {
  for (const [environment, prefix] of [
    ['SANDBOX', 'svc_test_'],
    ['PRODUCTION', 'svc_live_'],
  ] as const) {
    const secret = newSecret(environment, randomBytes)
    t.match(secret, new RegExp(`^${prefix}[0-9A-Za-z]{49}$`))
    t.strictSame(readSecret(secret), { environment, secretHash: hashSecret(secret) })
    const mistyped = `${secret.slice(0, 20)}${secret[20] === 'a' ? 'b' : 'a'}${secret.slice(21)}`
    for (const wrong of ['', mistyped, secret.slice(1), `${secret}0`, secret.replace(prefix, 'svc_prod_')])
      t.equal(readSecret(wrong), null)
  }
  t.not(newSecret('SANDBOX', randomBytes), newSecret('SANDBOX', randomBytes))
})

t.test('every character of a secret is equally likely: bytes that would not be are left out', async (t) => {
  let next = 0
  const counting = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => next++ % 256))
  const counts = new Map<string, number>()
  for (let n = 0; n < 62; n++) {
    next = n * 4
    for (const char of newSecret('SANDBOX', counting).slice(9, 52))
      counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  t.equal(counts.size, 62)
})

t.test('what is sealed is read again with the same key only, and not when changed', async (t) => {
  const [key, other] = [randomBytes(32), randomBytes(32)]
  const sealed = seal('whsec_é', key)
  t.equal(unseal(sealed, key), 'whsec_é')
  t.not(seal('whsec_é', key), sealed, 'a nonce of its own')
  t.notOk(sealed.includes('whsec'))
  t.throws(() => unseal(sealed, other))
  t.throws(() => unseal(`${sealed.slice(0, -2)}AA`, key))
  t.throws(() => unseal(sealed.replace('v1', 'v2'), key), /unknown form/)
})
