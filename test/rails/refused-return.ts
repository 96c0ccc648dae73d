import { until } from '../e2e/service.ts'
import { startHeldService } from './faults/held-service.ts'
import { type LiveScope, openShopOf } from './live-service.ts'

const hour = 3_600_000

/** A charge that was paid a second time, where the payer's bank refuses what is sent back. */
export const openRefusedReturn = async (t: LiveScope) => {
  const held = await startHeldService(t, { peopleCount: 1 })
  const person = held.people[0]!
  const { bank, call } = await openShopOf(t, held.host, person, { bankName: 'itau', settings: {} })
  const move = async (...moves: readonly number[]): Promise<void> => {
    for (const ms of moves) {
      await bank.clock.advance(ms)
      await held.order({ type: 'MOVE', ms })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const { body: charge } = await call('POST', '/v1/pix/charges', { amount: 1_990 })
  await until(async () => (await call('GET', `/v1/pix/charges/${charge.id}`)).body.status === 'PENDING')
  await bank.hold('POST /returns/settings', { settleAfterMs: 0, refusal: 'a conta foi encerrada' })
  await bank.hold('POST /pay', { txid: charge.pix.txid })
  const { endToEndId } = await bank.hold('POST /pay', { txid: charge.pix.txid, force: true })
  const second = async (): Promise<any> =>
    (await call('GET', `/v1/pix/received?txid=${charge.pix.txid}`)).body.data.find(
      (one: any) => one.endToEndId === endToEndId,
    )
  await move(60_000, 60_000)
  await until(async () => (await second())?.status === 'RETURNING')
  return {
    ...{ held, person, bank, call, move, charge, endToEndId },
    /** The second payment as it is now. */
    second,
    /** Resolves when the service has tried on all of its days. */
    untilRefused: async (): Promise<void> => {
      for (let hours = 0; hours < 5 * 24 && (await second()).status === 'RETURNING'; hours += 5)
        await move(5 * hour)
      await until(async () => (await second()).status === 'RETURN_FAILED')
    },
  }
}
