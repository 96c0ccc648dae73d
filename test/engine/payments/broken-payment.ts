import type { TransactionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { happened } from '../billing/catalog.ts'
import { aMed, aMedDecision } from '../story.ts'
import { aCharge, aPayment, type World } from '../world.ts'

/** A payment that nobody can explain: its MED is open under the id of one that is closed, so the clock cannot close it. */
export const aBrokenPayment = async (world: World): Promise<TransactionId> => {
  const { id } = await world.accepted(aCharge())
  await world.execute(aPayment(id))
  await world.execute(aMed(id))
  const [med] = world.transaction(id).reversals.meds
  await world.execute(aMedDecision(med!.id, 'REJECTED'))
  const by = { kind: 'CLOCK', id: null } as const
  const again = { ...med!, blockedCents: toCents(0) }
  happened(world, { actor: 'transaction', type: 'MedOpened', id, by, atMs: world.now(), med: again })
  return id
}
