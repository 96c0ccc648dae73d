import type { AccountFactOf } from '../ledger/account.ts'
import type { AccountPart } from '../ledger/account-part.ts'
import type { ChangeId } from '../shared/ids.ts'
import { type Cents, toCents } from '../shared/money.ts'

declare module '../ledger/account.ts' {
  interface AccountParts {
    readonly controls: AccountControls
  }
  interface AccountPartFacts {
    readonly controls: ControlsFact
  }
}

/** When other people have to approve that money leaves (dashboard, section 2.4). */
export type ApprovalPolicy = {
  readonly enabled: boolean
  /** Above this amount. */
  readonly thresholdCents: Cents
  /** Above this sum of one person in a day, over all kinds. */
  readonly personDailyCents: Cents
  /** Above this amount, to a payee who was never paid before. */
  readonly newBeneficiaryCents: Cents
  /** How many people. */
  readonly required: number
  readonly expiresAfterHours: number
}

/** The most money that may leave. */
export type MoneyOutLimits = {
  readonly pixDayCents: Cents
  readonly pixNightCents: Cents
  readonly nightStartsAt: (typeof nightStarts)[number]
  readonly tedDayCents: Cents
  readonly cryptoDayCents: Cents
  /** To all payees in their first 24 hours together, in any 24 hours. */
  readonly newBeneficiaryDayCents: Cents
  /** In a single transfer; null for no bound. */
  readonly pixTransferCents: Cents | null
  readonly tedTransferCents: Cents | null
}

export const nightStarts = ['20:00', '22:00'] as const

/** The approval policy and the limits. */
export type Controls = ApprovalPolicy & MoneyOutLimits

/** The controls that an account stores. */
export type AccountControls = {
  /** Values that the company has set; defaults stand for the rest. */
  readonly own: Partial<Controls>
  /** Looser values that do not count yet. */
  readonly pending: PendingControls | null
}

export type PendingControls = {
  readonly changeId: ChangeId
  readonly changes: Partial<Controls>
  /** Null until it is approved. */
  readonly effectiveAtMs: number | null
}

type ControlsFact = AccountFactOf<'ControlsChanged'> & {
  readonly changes: Partial<Controls>
  readonly pending: PendingControls | null
}

const reais = (amount: number): Cents => toCents(100 * amount)

const defaults: Controls = {
  enabled: true,
  thresholdCents: reais(5_000),
  personDailyCents: reais(20_000),
  newBeneficiaryCents: reais(1_000),
  required: 1,
  expiresAfterHours: 72,
  pixDayCents: reais(100_000),
  pixNightCents: reais(20_000),
  nightStartsAt: '20:00',
  tedDayCents: reais(250_000),
  cryptoDayCents: reais(50_000),
  newBeneficiaryDayCents: reais(1_000),
  pixTransferCents: null,
  tedTransferCents: null,
}

type OfAccount = {
  readonly controls: AccountControls
  readonly profile: { readonly companyType?: 'MEI' | 'OTHER' }
}

/**
 * The controls that count in an account now. The central bank's limit at night binds an MEI as it binds people.
 */
export const controlsOf = ({ controls, profile }: OfAccount): Controls => ({
  ...defaults,
  ...(profile.companyType === 'MEI' && { pixNightCents: reais(1_000) }),
  ...controls.own,
})

/** The direction in which each control gets stricter. */
const strictness: { readonly [Field in keyof Controls]: 'LOWER' | 'HIGHER' } = {
  enabled: 'HIGHER',
  thresholdCents: 'LOWER',
  personDailyCents: 'LOWER',
  newBeneficiaryCents: 'LOWER',
  required: 'HIGHER',
  expiresAfterHours: 'LOWER',
  pixDayCents: 'LOWER',
  pixNightCents: 'LOWER',
  // A night that starts earlier is longer.
  nightStartsAt: 'LOWER',
  tedDayCents: 'LOWER',
  cryptoDayCents: 'LOWER',
  newBeneficiaryDayCents: 'LOWER',
  pixTransferCents: 'LOWER',
  tedTransferCents: 'LOWER',
}

/** The wanted values that are stricter than the present ones, and those that are looser. */
export const compareControls = (
  present: Controls,
  wanted: Partial<Controls>,
): { readonly stricter: Partial<Controls>; readonly looser: Partial<Controls> } => {
  const fields = (Object.keys(wanted) as (keyof Controls)[]).filter(
    (field) => wanted[field] !== present[field],
  )
  const isStricter = (field: keyof Controls): boolean => {
    const [before, after] = [orUnbounded(present[field]), orUnbounded(wanted[field]!)]
    return strictness[field] === 'LOWER' ? after < before : after > before
  }
  return {
    stricter: pickControls(wanted, fields.filter(isStricter)),
    looser: pickControls(
      wanted,
      fields.filter((field) => !isStricter(field)),
    ),
  }
}

/** No bound is the loosest. */
const orUnbounded = <Value>(value: Value | null): Value | number => value ?? Number.POSITIVE_INFINITY

/** These fields of the controls. */
export const pickControls = (
  controls: Partial<Controls>,
  fields: readonly (keyof Controls)[],
): Partial<Controls> => Object.fromEntries(fields.map((field) => [field, controls[field]]))

/** The approval policy and the limits of an account. A reset of the Sandbox sets none of them. */
export const controlsAccountPart: AccountPart<'controls'> = {
  opened: { controls: { own: {}, pending: null } },
  // The change that is pending goes with all other actors.
  cleared: ({ controls: { own } }) => ({ controls: { own, pending: null } }),
  auditedFields: ({ controls }) => ({ controls: controls.own, pendingControls: controls.pending }),
  evolve: {
    ControlsChanged: (account, { changes, pending }) => ({
      ...account,
      controls: { own: { ...account.controls.own, ...changes }, pending },
    }),
  },
}
