import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { BeneficiaryId, PersonId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { happened } from '../billing/catalog.ts'
import { connectionIdOf } from '../connections/live.ts'
import { longStanding } from '../standing.ts'
import { account, type World } from '../world.ts'
import { ana, bia, moneyActs } from './transfer-story.ts'

/** Lets every fact of look-ups, beneficiaries and transfers happen. */
export const everyTransferFact = async (world: World): Promise<void> => {
  const { lookUp, known, sends, approve, advance, execute } = await moneyActs(world, 100_000)
  const lookupId = await lookUp('maria@example.com')
  await lookUp('naoexiste@sandbox.test')
  await lookUp('instavel@sandbox.test')
  const beneficiaryId = `ben_${'7'.repeat(26)}` as BeneficiaryId
  const target = { accountId: account, by: ana } as const
  const of = { lookupId }
  await execute({ type: 'RegisterBeneficiary', ...target, beneficiaryId, of, nickname: 'São João' })
  const { id: arrived } = await sends(
    1_000,
    { lookupId },
    { description: 'ção', metadata: { a: 1.5 }, externalId: 'x' },
  )
  await execute({ type: 'ReturnMoneyOut', ...target, transferId: arrived, amountCents: toCents(400) })
  const to = { beneficiaryId: await known() }
  await execute({
    type: 'ChangeBeneficiary',
    ...target,
    ...to,
    trusted: true,
    standing: null,
    hasOther: true,
  })
  await sends(1_001, to, { metadata: { sandboxScenario: 'transfer_slow' } })
  await sends(1_002, to, { metadata: { sandboxScenario: 'transfer_fails' } })
  const scheduledFor = '2026-12-10' as CalendarDate
  const { id } = await sends(1_003, to, { kind: 'TED', scheduledFor })
  const { id: approved } = await sends(600_000, to)
  await approve(approved)
  const { id: transferId } = await sends(600_001, to)
  const decider = { personId: bia.id as PersonId, name: 'Bia', standing: longStanding }
  await execute({
    type: 'RejectMoneyOut',
    ...target,
    by: bia,
    transferId,
    ...decider,
    reason: 'não',
  })
  const { id: recalled } = await sends(1_004, to, { scheduledFor })
  await execute({ type: 'StopMoneyOutOf', kind: 'transfer', ...target, personId: ana.id as PersonId })
  await approve(recalled)
  await approve(id)
  await advance('PT5S')
  const fact = { actor: 'transfer', id: arrived, atMs: world.now() } as const
  happened(world, { ...fact, type: 'MoneyOutRouted', connectionId: connectionIdOf(1) })
  happened(world, {
    ...fact,
    type: 'RouteChosen',
    route: { connectionId: connectionIdOf(1), providerId: 'a-bank', reason: 'PRIMARY' },
  })
  happened(world, { ...fact, type: 'MoneyOutIdentified', railId: `E${'7'.repeat(31)}` })
  happened(world, { ...fact, type: 'MoneyOutCharged', tariffCents: toCents(0) })
  const { id: lostId } = await sends(1_005, to, { metadata: { sandboxScenario: 'transfer_lost' } })
  const declared = { actor: 'transfer', id: lostId, atMs: world.now(), by: ana } as const
  const declaration = { outcome: 'SENT', endToEndId: `E${'6'.repeat(31)}`, reason: 'linha 7' } as const
  const { call } = world.memory.find('transfer', lostId)!.state
  const numbered = { actor: 'transfer', type: 'MoneyOutNumbered', id: lostId, atMs: world.now() } as const
  happened(world, { ...numbered, callId: call!.id, bankNumber: '7b1c4f0e-2a51-4c11-9d0b-6f1f4e1f2a77' })
  happened(world, { ...declared, type: 'OutcomeDeclared', declaration })
  happened(world, { ...declared, type: 'OutcomeConfirmed', by: bia })
  happened(world, {
    actor: 'transfer',
    type: 'MoneyOutPostponed',
    id,
    atMs: world.now(),
    runsAtMs: Date.UTC(2026, 11, 11, 9, 30),
  })
  await execute({ type: 'RemoveBeneficiary', ...target, ...to })
}
