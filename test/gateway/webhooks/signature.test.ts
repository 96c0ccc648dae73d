import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import t from 'tap'
import { sign } from '../../../gateway/webhooks/headers.ts'

const secret = 'whsec_b3RoZXIgcGVvcGxlIGNhbm5vdCBndWVzcyB0aGlz'
const unixSeconds = 1_790_000_000
const body = Buffer.from(JSON.stringify({ id: 'evt_1', data: { note: 'ação </b> 🎉 \u2028' } }))

/** A verifier that others wrote for the same header, with the clock of the test. */
const verify = (signed: Buffer, header: string, key = secret, atSeconds = unixSeconds): unknown =>
  new Stripe('sk_test').webhooks.constructEvent(signed, header, key, 300, undefined, atSeconds * 1000)

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 1
  return copy
}

t.test('the header verifies with the documented steps and with an independent verifier', async (t) => {
  const header = sign({ secret, body }, unixSeconds)
  const hmac = createHmac('sha256', secret)
    .update(`${unixSeconds}.${body.toString('utf8')}`)
    .digest('hex')
  t.equal(header, `t=${unixSeconds},v1=${hmac}`)
  t.match(verify(body, header), { id: 'evt_1' })
})

t.test('one changed byte of body, time or signature is refused, and so is another secret', async (t) => {
  const header = sign({ secret, body }, unixSeconds)
  const header64 = Buffer.from(header)
  t.throws(() => verify(flipped(body, body.indexOf('evt_1')), header))
  t.throws(() => verify(body, header.replace(`t=${unixSeconds}`, `t=${unixSeconds + 1}`)))
  t.throws(() => verify(body, flipped(header64, header64.length - 1).toString()))
  t.throws(() => verify(body, header, `${secret}x`))
})

t.test('every attempt signs its own time, so that a late retry is not five minutes old', async (t) => {
  const retriedAtSeconds = unixSeconds + 8 * 3600
  t.throws(() => verify(body, sign({ secret, body }, unixSeconds), secret, retriedAtSeconds))
  t.match(verify(body, sign({ secret, body }, retriedAtSeconds), secret, retriedAtSeconds), {
    id: 'evt_1',
  })
})

t.test('while a former secret signs as well, either verifies, and the new one comes first', async (t) => {
  const header = sign({ secret, formerSecret: 'whsec_former', body }, unixSeconds)
  t.ok(header.startsWith(`${sign({ secret, body }, unixSeconds)},v1=`))
  t.match(verify(body, header), { id: 'evt_1' })
  t.match(verify(body, header, 'whsec_former'), { id: 'evt_1' })
  t.throws(() => verify(body, header, 'whsec_other'))
})
