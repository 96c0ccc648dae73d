import type { Command } from '../../../engine/kernel/registry.ts'
import type { SplitItem } from '../../../engine/ledger/split.ts'
import type { AccountId, RecipientId, SplitRuleId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { key } from '../world.ts'
import { type Division, divisions } from './steps.ts'

const recipientsCount = 5
/** Whose bank refuses everything (decisions, section 29). */
const refusedOne = 4

const recipientId = (n: number) => `rcp_${String(n + 1).padStart(26, '0')}` as RecipientId

/** The rule of a division. A story that is cleared has none of them any more: charges that name one are refused. */
export const ruleIdOf = (division: Division): SplitRuleId =>
  `spr_${String(divisions.indexOf(division) + 1).padStart(26, '0')}` as SplitRuleId

/** What every story begins with: recipients, and a rule for each division. */
export const divisionCommands = (accountId: AccountId): readonly Command[] => {
  const ours = { accountId, by: key } as const
  const recipients = Array.from(
    { length: recipientsCount },
    (_, n): Command => ({
      ...ours,
      type: 'CreateRecipient',
      recipientId: recipientId(n),
      name: `Vendedor ${n}`,
      document: '11222333000181',
      documentType: 'CNPJ',
      email: null,
      bank: { bankCode: n === refusedOne ? '000' : '341', branch: '1', account: '1' },
      metadata: {},
    }),
  )
  const rules = divisions.map(
    (division): Command => ({
      ...ours,
      type: 'CreateSplitRule',
      ruleId: ruleIdOf(division),
      name: division,
      items: itemsOf[division],
      metadata: {},
      isActive: true,
    }),
  )
  return [...recipients, ...rules]
}

const item = (n: number | null, change: Partial<SplitItem>): SplitItem => ({
  recipientId: n === null ? null : recipientId(n),
  percentBps: null,
  fixedCents: null,
  priority: 1,
  chargeFees: false,
  chargeRemainder: false,
  ...change,
})

const itemsOf: Readonly<Record<Division, readonly SplitItem[]>> = {
  shares: [item(0, { percentBps: 7000, chargeFees: true }), item(null, { percentBps: 3000 })],
  fixed: [
    item(1, { fixedCents: toCents(40), priority: 2 }),
    item(0, { percentBps: 5001, chargeFees: true, chargeRemainder: true }),
  ],
  many: [
    item(0, { percentBps: 3333, chargeFees: true }),
    item(1, { percentBps: 3333 }),
    item(2, { percentBps: 3333, chargeFees: true }),
    item(3, { percentBps: 1, chargeFees: true }),
  ],
  unpaid: [item(refusedOne, { percentBps: 5000 }), item(0, { percentBps: 5000, chargeFees: true })],
}
