import type { ProviderAnswer, ProviderRequest } from '../../../../../engine/payments/provider.ts'
import type { Transaction } from '../../../../../engine/payments/transaction/transaction.ts'
import { toCents } from '../../../../../engine/shared/money.ts'
import { aConnect, live, openLive } from '../../../connections/live.ts'
import { aRefund, type World } from '../../../world.ts'
import { aLiveCancellation, aLiveCharge, anArrival, registered, silence } from './at-bank.ts'

/** What a bank says, by what the description of a charge asks for; it is not one that the Sandbox knows. */
export const everyBankAnswer = (request: ProviderRequest): ProviderAnswer => {
  const { operation, description } = request
  const isSilent = description === 'silent'
  const refused = { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'não' } } as const
  switch (operation) {
    case 'REGISTER':
      if (description === 'refused')
        return { type: 'REFUSED', refusal: { reason: 'REGISTRATION_REJECTED', code: 'c', message: 'não' } }
      return isSilent ? silence : registered(request)
    case 'CANCEL':
      return description === 'kept' || isSilent ? refused : { type: 'DONE', evidence: null }
    case 'READ_CHARGE':
      return { type: 'CHARGE_STATE', status: 'ACTIVE', payments: [] }
    case 'RETURN':
      return description === 'back' ? { type: 'RETURNED', returnId: 'D1' } : refused
    default:
      return refused
  }
}

/** Everything that happens to PIX charges over a bank. */
export const everyBankFact = async (world: World): Promise<void> => {
  await openLive(world)
  // A provider that the service has: lists show no other.
  await world.execute(aConnect({ provider: 'efi' }))
  const create = (description: string): Promise<Transaction> => world.accepted(aLiveCharge({ description }))
  await create('refused')
  await create('silent')
  await world.execute(aLiveCancellation((await create('kept')).id))
  await world.execute(aLiveCancellation((await create('gone')).id))
  await create('left')
  for (const description of ['back', 'refused back']) {
    const paid = await create(description)
    await world.execute(anArrival(paid))
    await world.execute(anArrival(paid))
    await world.execute({ ...aRefund(paid.id, 100), ...live })
  }
  const wrong = await create('back')
  await world.execute(anArrival(wrong, { componentsCents: toCents(1) }))
  for (const minutes of [11, 60, 24 * 60, 24 * 60, 24 * 60]) {
    world.pass(minutes * 60_000)
    world.shard.tick()
    await world.settle()
  }
}
