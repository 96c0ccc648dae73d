import type { ActorDefinition } from '../../kernel/actor.ts'
import type { ActorFact } from '../../kernel/fact.ts'
import { assert, unreachable } from '../../shared/assert.ts'
import { bounds } from '../../shared/bounds.ts'
import { maskedDocument } from '../../shared/documents.ts'
import type { AccountId, BeneficiaryId, PersonId } from '../../shared/ids.ts'
import { type BankPayee, payeeKeyOf } from './payee.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly beneficiary: Beneficiary
  }
  interface ActorFacts {
    readonly beneficiary: BeneficiaryFact
  }
}

/** A payee that people registered (dashboard, section 2.6). Its identity never changes. */
export type Beneficiary = NewBeneficiary & {
  readonly id: BeneficiaryId
  readonly nickname: string | null
  /** People have agreed on trusting it. */
  readonly trusted: boolean
  /** When the night limit stops counting for it; null if it is not trusted, or was before trust had to wait. */
  readonly trustedFromMs: number | null
  /** The person who asked for trust that another has yet to agree to, and the real time, by which roles count. */
  readonly trustAskedBy: PersonId | null
  readonly trustAskedAtMs: number | null
  readonly isActive: boolean
  readonly lastUsedAtMs: number | null
  readonly version: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** The terms that a beneficiary is registered with. */
export type NewBeneficiary = {
  readonly accountId: AccountId
  readonly payee: BankPayee
  /** Until then it cools off, and the limit of new payees applies. */
  readonly availableAtMs: number
  readonly createdBy: PersonId | null
}

export type BeneficiaryChanges = Partial<
  Pick<Beneficiary, 'nickname' | 'trusted' | 'trustedFromMs' | 'trustAskedBy' | 'trustAskedAtMs'>
>

export type BeneficiaryFact =
  | (Fact<'BeneficiaryRegistered'> & {
      readonly beneficiary: NewBeneficiary
      readonly nickname: string | null
    })
  | (Fact<'BeneficiaryChanged'> & { readonly changes: BeneficiaryChanges })
  | Fact<'BeneficiaryUsed'>
  | Fact<'BeneficiaryRemoved'>

type Fact<Type extends string> = ActorFact<'beneficiary', Type>

/** The lookup key of the payees for which a person asks for trust. */
export const trustAskedKey = (personId: PersonId): string => `trust ${personId}`

/** When the trust in a trusted payee begins to count. */
export const trustedFromMsOf = ({
  trustedFromMs,
  createdAtMs,
}: Pick<Beneficiary, 'trustedFromMs' | 'createdAtMs'>): number =>
  trustedFromMs ?? createdAtMs + bounds.trustedAfterMs

/** Whether trust in a payee counts at a time. */
export const isTrustedAt = (beneficiary: Beneficiary, nowMs: number): boolean =>
  beneficiary.trusted && nowMs >= trustedFromMsOf(beneficiary)

const evolveBeneficiary = (state: Beneficiary | undefined, event: BeneficiaryFact): Beneficiary => {
  const { id, atMs } = event
  if (event.type === 'BeneficiaryRegistered') {
    assert(state === undefined, 'a beneficiary is registered once')
    return {
      id,
      ...event.beneficiary,
      nickname: event.nickname,
      trusted: false,
      trustedFromMs: null,
      trustAskedBy: null,
      trustAskedAtMs: null,
      isActive: true,
      lastUsedAtMs: null,
      version: 1,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    }
  }
  assert(state !== undefined, `${event.type} follows BeneficiaryRegistered`)
  const changed = { ...state, version: state.version + 1, updatedAtMs: atMs }
  switch (event.type) {
    case 'BeneficiaryChanged':
      return { ...changed, ...event.changes }
    case 'BeneficiaryUsed':
      return { ...changed, lastUsedAtMs: atMs }
    case 'BeneficiaryRemoved':
      return { ...changed, isActive: false }
    default:
      return unreachable(event)
  }
}

export const beneficiaryKind: ActorDefinition<Beneficiary, BeneficiaryFact> = {
  prefix: 'ben',
  namedBy: 'beneficiaryId',
  evolve: evolveBeneficiary,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ payee, isActive }) =>
    `${isActive ? 'LISTED' : 'INACTIVE'} ${payee.pixKey === null ? 'BANK' : 'PIX'}`,
  lookupKeys: ({ payee, isActive, trustAskedBy }) => [
    ...(isActive ? [payeeKeyOf(payee)] : []),
    ...(trustAskedBy === null ? [] : [trustAskedKey(trustAskedBy)]),
  ],
  auditedFields: ({ payee, nickname, trusted, trustedFromMs, trustAskedBy, isActive }) => ({
    name: payee.name,
    document: maskedDocument(payee.document),
    nickname,
    trusted,
    trustedFrom: trustedFromMs,
    trustAskedBy,
    active: isActive,
  }),
}
