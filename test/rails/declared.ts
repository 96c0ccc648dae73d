import { gzipSync } from 'node:zlib'
import type { Call } from '../e2e/service.ts'
import { anOfx, anOfxLine } from '../gateway/inbox/ofx-for-test.ts'
import type { Shop } from './live-service.ts'
import { toValor } from './money.ts'

/** A shop with two people, who say together what became of money whose bank is asked no more. */
export type PairedShop = Pick<Shop, 'bank' | 'connection'> & { readonly sign: Call; readonly colleague: Call }

/** The bank's statement of a day in OFX, as a person exports it. */
export const ofxOf = ({ bank }: Pick<Shop, 'bank'>, date: string): string => {
  const day = date.replaceAll('-', '')
  const { movements } = bank.bank.book.statement(date)
  const lines = movements.map(({ kind, cents, endToEndId, rtrId }, n) =>
    anOfxLine({
      DTPOSTED: `${day}120000[-3:BRT]`,
      TRNAMT: `${cents < 0 ? '-' : ''}${toValor(Math.abs(cents))}`,
      FITID: `${day}-${n}`,
      MEMO: `${words[kind] ?? 'Pix'} ${rtrId ?? endToEndId}`,
    }),
  )
  return anOfx(lines, '1234567', [day, day])
}

const words: Readonly<Record<string, string>> = {
  RECEIVED: 'Pix recebido',
  RETURNED: 'Pix devolucao enviada',
  MED_RETURNED: 'Pix devolucao enviada',
  MED_REVERSED: 'Pix devolucao recebida',
  SENT: 'Pix enviado',
  SENT_RETURNED: 'Pix devolucao recebida',
  TARIFF: 'Tarifa Pix',
  OTHER: 'Pagamento de boleto',
}

/** A person uploads the bank's statement of a day whose books were compared; answers whether that could be done. */
export const uploadStatement = async (shop: PairedShop, date: string): Promise<boolean> => {
  const { body } = await shop.sign(
    'GET',
    `/v1/reconciliations?connectionId=${shop.connection.id}&date=${date}`,
  )
  const [day] = body.data
  if (day === undefined) return false
  if (day.statementSource !== null) return true
  // As the dashboard sends it: a day of some hundred payments is too long for a request otherwise.
  const file = gzipSync(ofxOf(shop, date)).toString('base64')
  const given = await shop.sign('POST', `/v1/reconciliations/${day.id}/statement`, { file })
  if (given.body.code === 'VALIDATION_ERROR') throw new Error(`${date}: ${JSON.stringify(given.body)}`)
  return given.status === 200
}

/** What people can say of a lost transfer or payout by what the bank really has. */
export const truthOf = (
  { bank }: Pick<Shop, 'bank'>,
  { id }: { readonly id: string },
): { readonly outcome: string; readonly endToEndId?: string; readonly reason: string } => {
  const ulid = id.slice(id.indexOf('_') + 1)
  const sent = bank.bank.sends
    .all()
    .find(({ body, status }) => String(body.descricao).includes(ulid) && status === 'REALIZADO')
  return sent === undefined
    ? { outcome: 'NOT_SENT', reason: 'Nothing in the statements.' }
    : { outcome: 'SENT', endToEndId: sent.endToEndId, reason: 'It is in the statement.' }
}

/** What waits for people, with the paths by which they declare it. */
export const lostOf = async ({
  sign,
}: Pick<PairedShop, 'sign'>): Promise<readonly { readonly path: string; readonly of: any }[]> => {
  const lost: { path: string; of: any }[] = []
  for (const path of ['/v1/transfers', '/v1/split/transfers']) {
    const { body } = await sign('GET', `${path}?status=PROCESSING&pageSize=100`)
    for (const of of body.data)
      if (of.lostAt !== undefined) lost.push({ path: `${path}/${of.id}/declare`, of })
  }
  return lost
}

/** What the books of a day say, for messages. */
const dayOf = async ({ sign, connection }: PairedShop, date: string): Promise<string> => {
  const { body } = await sign('GET', `/v1/reconciliations?connectionId=${connection.id}&date=${date}`)
  return JSON.stringify(body.data ?? body).slice(0, 1000)
}

/** Two minutes, with the pauses between them. */
const triesMax = 2_400

/** Has two people declare all that waits for them, by the bank's statements; answers how many there were. */
export const declareAll = async (shop: PairedShop): Promise<number> => {
  const lost = (await lostOf(shop)).map(({ path, of }) => ({ path, said: truthOf(shop, of) }))
  // What was sent is known then, and is none of the others of its amount.
  lost.sort((a, b) => b.said.outcome.localeCompare(a.said.outcome))
  for (const { path, said } of lost)
    for (const sign of [shop.sign, shop.colleague])
      for (let tries = 0; ; tries++) {
        const { status, body } = await sign('POST', path, said)
        // One whose answer a kill has lost stands already, and waits for the other person.
        if (status === 200 || body.type?.endsWith('#OWN_REQUEST')) break
        // One person may have said the same before, so that the first one here is the second.
        if (status === 409 && body.currentStatus !== 'PROCESSING') {
          if ((body.currentStatus === 'FAILED') === (said.outcome === 'NOT_SENT')) break
          throw new Error(`${path} is ${body.currentStatus}, and by the bank ${said.outcome}`)
        }
        if (body.date != null) await uploadStatement(shop, body.date)
        // An uploaded statement is compared behind a look at all days that is under way, which takes as long as a bank lists a month.
        if (tries === triesMax)
          throw new Error(`${path} ${status} ${JSON.stringify(body)}; ${await dayOf(shop, body.date)}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
  return lost.length
}
