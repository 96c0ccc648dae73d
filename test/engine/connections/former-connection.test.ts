import t from 'tap'
import { aLiveCharge, anArrival, newShop, registered } from '../payments/pix/bank/at-bank.ts'
import { aRefund } from '../world.ts'
import { aConnect, connectionIdOf, live } from './live.ts'

const [first, second] = [connectionIdOf(1), connectionIdOf(2)]

for (const state of ['SUSPENDED', 'RETIRED'] as const)
  t.test(`a refund goes where the money came from, also once that is ${state}`, async (t) => {
    const { world, bank } = await newShop({
      REGISTER: registered,
      REFUND: { type: 'RETURNED', returnId: 'D1' },
    })
    const paid = await world.accepted(aLiveCharge())
    await world.execute(anArrival(paid))
    await world.execute({ type: 'ChangeRail', ...live, connectionId: first, state, revision: 2 })
    await world.execute(aConnect({ connectionId: second, provider: 'another-bank' }))
    const other = await world.accepted(aLiveCharge())
    t.match(other, { connectionId: second, providerId: 'another-bank' }, 'what is new goes by the new one')
    await world.accepted({ ...aRefund(paid.id, 5_000), ...live })
    t.match(bank.asked.at(-1), {
      operation: 'REFUND',
      transactionId: paid.id,
      connectionId: first,
      providerId: 'made-up-bank',
    })
    t.match(world.transaction(paid.id), { status: 'PARTIALLY_REFUNDED' })
  })
