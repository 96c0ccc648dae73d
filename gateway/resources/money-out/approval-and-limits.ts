import {
  type ControlChange,
  controlChangeStatuses,
} from '../../../engine/approval-and-limits/control-change.ts'
import {
  type AccountControls,
  type Controls,
  controlsOf,
  nightStarts,
  type PendingControls,
} from '../../../engine/approval-and-limits/controls.ts'
import { limitUsage } from '../../../engine/money-out/limits.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  booleanOf,
  count,
  digitsOrNull,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nonNegativeAmountOf,
  nullableField,
  nullableText,
  objectField,
  textOf,
} from '../fields.ts'
import { fieldsOf, resource, same } from '../resource.ts'

/** The API's name of each control. */
export const controlNames = {
  enabled: 'enabled',
  thresholdCents: 'thresholdAmount',
  personDailyCents: 'personDailyAmount',
  newBeneficiaryCents: 'newBeneficiaryAmount',
  required: 'required',
  expiresAfterHours: 'expiresAfterHours',
  pixDayCents: 'pixDayAmount',
  pixNightCents: 'pixNightAmount',
  nightStartsAt: 'nightStartsAt',
  tedDayCents: 'tedDayAmount',
  cryptoDayCents: 'cryptoDayAmount',
  newBeneficiaryDayCents: 'newBeneficiaryDayAmount',
  pixTransferCents: 'pixTransferAmount',
  tedTransferCents: 'tedTransferAmount',
} as const satisfies Readonly<Record<keyof Controls, string>>

const pendingControl = resource<PendingControls, [keyof Controls]>(
  'PendingControl',
  'A looser value that does not count yet.',
).with({
  changeId: [textOf('The change that it is part of, `chg_…`.'), same],
  field: [
    described(choice(...Object.values(controlNames)), 'What it is.'),
    (_, field) => controlNames[field],
  ],
  amount: [
    nullableField(nonNegativeAmountOf('The amount to come; null for what has none.')),
    ({ changes }, field) => (field.endsWith('Cents') ? digitsOrNull(changes[field] as number | null) : null),
  ],
  value: [
    textOf('What is to come, as a text; NONE for no bound.'),
    ({ changes }, field) => valueText(changes[field]),
  ],
  effectiveAt: [
    nullableField(instant, 'From when on it counts; null until another person has approved it.'),
    ({ effectiveAtMs }) => instantOrNull(effectiveAtMs),
  ],
})

const pending = listOf(pendingControl.schema, 'Looser values that do not count yet.')

const policyFields = fieldsOf<Controls>().with({
  enabled: [booleanOf('Whether anybody else ever has to approve.'), same],
  thresholdAmount: [nonNegativeAmountOf('Above it, others approve.'), (c) => String(c.thresholdCents)],
  personDailyAmount: [
    nonNegativeAmountOf('Above this sum by one person in a day, others approve.'),
    (c) => String(c.personDailyCents),
  ],
  newBeneficiaryAmount: [
    nonNegativeAmountOf('Above it, others approve what a payee gets for the first time.'),
    (c) => String(c.newBeneficiaryCents),
  ],
  required: [count('How many others approve, or as many as there are.'), same],
  expiresAfterHours: [count('After so many hours without approval it is cancelled.'), same],
})

/** When other people have to approve that money leaves. */
export const approvalPolicy = resource<Controls, [AccountControls]>(
  'ApprovalPolicy',
  'When other people approve that money leaves.',
).with({
  ...objectField('approval_policy'),
  ...policyFields,
  pending: [pending, (_, controls) => pendingView(controls, Object.keys(policyFields))],
})

const usedOf = (what: string) => nonNegativeAmountOf(`What has left today ${what}.`)

const limitFields = fieldsOf<Controls>().with({
  pixDayAmount: [nonNegativeAmountOf('By PIX in a day.'), (c) => String(c.pixDayCents)],
  pixNightAmount: [
    nonNegativeAmountOf('By PIX in a night, which ends at 06:00.'),
    (c) => String(c.pixNightCents),
  ],
  nightStartsAt: [described(choice(...nightStarts), 'When the night begins.'), same],
  tedDayAmount: [nonNegativeAmountOf('By TED in a day.'), (c) => String(c.tedDayCents)],
  cryptoDayAmount: [nonNegativeAmountOf('In stablecoins in a day.'), (c) => String(c.cryptoDayCents)],
  newBeneficiaryDayAmount: [
    nonNegativeAmountOf('To all payees in their first 24 hours together, in any 24 hours.'),
    (c) => String(c.newBeneficiaryDayCents),
  ],
  pixTransferAmount: [
    nullableField(nonNegativeAmountOf('In a single PIX; null for no bound.')),
    (c) => digitsOrNull(c.pixTransferCents),
  ],
  tedTransferAmount: [
    nullableField(nonNegativeAmountOf('In a single TED; null for no bound.')),
    (c) => digitsOrNull(c.tedTransferCents),
  ],
})

type Usage = ReturnType<typeof limitUsage>

const usage = resource<Usage>('LimitsUsage', 'How much of each is used.').with({
  pixDayAmount: [usedOf('by PIX'), (u) => String(u.pixDayCents)],
  pixNightAmount: [usedOf('by PIX at night'), (u) => String(u.pixNightCents)],
  tedDayAmount: [usedOf('by TED'), (u) => String(u.tedDayCents)],
  cryptoDayAmount: [usedOf('in stablecoins'), (u) => String(u.cryptoDayCents)],
})

/** What may leave at most. */
export const moneyOutLimits = resource<Controls, [AccountControls, Usage]>(
  'Limits',
  'What may leave at most, by day of the company.',
).with({
  ...objectField('limits'),
  ...limitFields,
  usage: [usage.schema, (_, __, used) => usage.view(used)],
  pending: [pending, (_, controls) => pendingView(controls, Object.keys(limitFields))],
})

type OfAccount = Parameters<typeof controlsOf>[0]

/** An account's approval policy. */
export const approvalPolicyView = (account: OfAccount) =>
  approvalPolicy.view(controlsOf(account), account.controls)

/** An account's limits, and how much of them is used at an instant. */
export const moneyOutLimitsView = (account: OfAccount & Parameters<typeof limitUsage>[0], nowMs: number) =>
  moneyOutLimits.view(controlsOf(account), account.controls, limitUsage(account, nowMs))

const pendingView = ({ pending }: AccountControls, shown: readonly string[]) =>
  pending === null
    ? []
    : namesIn(pending.changes)
        .filter((field) => shown.includes(controlNames[field]))
        .map((field) => pendingControl.view(pending, field))

/** The value of a control; NONE without a bound. */
const valueText = (value: Controls[keyof Controls] | undefined): string => String(value ?? 'NONE')

const namesIn = (controls: Partial<Controls>) => Object.keys(controls) as (keyof Controls)[]

const changedControl = resource<ControlChange, [keyof Controls]>('ControlChangeField', 'One value.').with({
  field: [
    described(choice(...Object.values(controlNames)), 'What it is.'),
    (_, field) => controlNames[field],
  ],
  before: [
    textOf('What counted when it was asked for; NONE for no bound.'),
    ({ before }, field) => valueText(before[field]),
  ],
  after: [textOf('What is to count; NONE for no bound.'), ({ after }, field) => valueText(after[field])],
})

/** A looser approval policy or limit on its way. */
export const controlChange = resource<ControlChange>(
  'ControlChange',
  'A looser approval policy or limit on its way.',
).with({
  ...identityFields('chg', 'control_change'),
  status: [
    described(
      choice(...controlChangeStatuses),
      'PENDING_APPROVAL: another person decides. SCHEDULED: it counts from `effectiveAt` on. SUPERSEDED: a stricter value was set meanwhile.',
    ),
    same,
  ],
  fields: [
    listOf(changedControl.schema, 'What it changes.'),
    (change) => namesIn(change.after).map((field) => changedControl.view(change, field)),
  ],
  requestedBy: [described(nullableText, 'The person who asked for it, `per_…`.'), same],
  decidedBy: [described(nullableText, 'The person who approved or rejected it.'), same],
  decidedAt: [nullableField(instant, 'When.'), ({ decidedAtMs }) => instantOrNull(decidedAtMs)],
  effectiveAt: [
    nullableField(instant, 'From when on it counts.'),
    ({ effectiveAtMs }) => instantOrNull(effectiveAtMs),
  ],
  createdAt: [described(instant, 'When it was asked for.'), ({ createdAtMs }) => isoInstant(createdAtMs)],
})
