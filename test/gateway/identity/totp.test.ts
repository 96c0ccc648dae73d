import t from 'tap'
import { base32Of, codeAt, stepOf, totpUri } from '../../../gateway/identity/totp.ts'

/** RFC 6238, appendix B, in six digits. */
const secret = Buffer.from('12345678901234567890')

t.test('codes are those of RFC 6238', async (t) => {
  const vectors: readonly (readonly [number, string])[] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of vectors) t.equal(codeAt(secret, Math.floor(seconds / 30)), code)
})

t.test('a code is taken one step early or late, and once', async (t) => {
  const nowMs = 1_234_567_890_000
  const now = Math.floor(nowMs / 30_000)
  const taken = (step: number, lastUsed = 0) => stepOf(secret, codeAt(secret, step), nowMs, lastUsed)
  t.strictSame(
    [-2, -1, 0, 1, 2].map((step) => taken(now + step)),
    [null, now - 1, now, now + 1, null],
  )
  t.equal(taken(now, now), 'USED', 'not twice')
  t.equal(taken(now, now + 1), 'USED', 'nor one before the last')
})

t.test('what the app scans names the secret', async (t) => {
  t.equal(base32Of(Buffer.from('foobar')), 'MZXW6YTBOI')
  t.equal(
    totpUri(secret, 'ana+a@example.com', 'pay.example.com'),
    'otpauth://totp/pay.example.com:ana%2Ba%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=pay.example.com&algorithm=SHA1&digits=6&period=30',
  )
})
