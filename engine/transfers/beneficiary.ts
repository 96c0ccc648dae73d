import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import { maskedDocument } from '../shared/audit.ts'
import type { AccountId, BeneficiaryId, PersonId } from '../shared/ids.ts'
import { type Payee, payeeKeyOf } from './payee.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly beneficiary: Beneficiary
  }
  interface ActorFacts {
    readonly beneficiary: BeneficiaryEvent
  }
}

export const beneficiaryStatuses = ['COOLING_OFF', 'ACTIVE', 'INACTIVE'] as const
export type BeneficiaryStatus = (typeof beneficiaryStatuses)[number]

/** A payee that people registered (dashboard, section 2.6). Who it is never changes. */
export type Beneficiary = NewBeneficiary & {
  readonly id: BeneficiaryId
  readonly nickname: string | null
  /** The night limit does not count for it. */
  readonly trusted: boolean
  /** Who wants it to be trusted, while another person has to agree. */
  readonly trustAskedBy: PersonId | null
  readonly isActive: boolean
  readonly lastUsedAtMs: number | null
  readonly version: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** What a beneficiary is registered with. */
export type NewBeneficiary = {
  readonly accountId: AccountId
  readonly payee: Payee
  /** Until then it can get little. */
  readonly availableAtMs: number
  readonly createdBy: PersonId | null
}

export type BeneficiaryChanges = Partial<Pick<Beneficiary, 'nickname' | 'trusted' | 'trustAskedBy'>>

export type BeneficiaryEvent =
  | (Fact<'BeneficiaryRegistered'> & {
      readonly beneficiary: NewBeneficiary
      readonly nickname: string | null
    })
  | (Fact<'BeneficiaryChanged'> & { readonly changes: BeneficiaryChanges })
  | Fact<'BeneficiaryUsed'>
  | Fact<'BeneficiaryRemoved'>

type Fact<Type extends string> = ActorFact<'beneficiary', Type>

/** What a beneficiary is at a time. */
export const beneficiaryStatusAt = (
  { isActive, availableAtMs }: Pick<Beneficiary, 'isActive' | 'availableAtMs'>,
  nowMs: number,
): BeneficiaryStatus => {
  if (!isActive) return 'INACTIVE'
  return nowMs < availableAtMs ? 'COOLING_OFF' : 'ACTIVE'
}

const evolveBeneficiary = (state: Beneficiary | undefined, event: BeneficiaryEvent): Beneficiary => {
  const { id, atMs } = event
  if (event.type === 'BeneficiaryRegistered') {
    assert(state === undefined, 'a beneficiary is registered once')
    return {
      id,
      ...event.beneficiary,
      nickname: event.nickname,
      trusted: false,
      trustAskedBy: null,
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

export const beneficiaryKind: ActorDefinition<Beneficiary, BeneficiaryEvent> = {
  prefix: 'ben',
  namedBy: 'beneficiaryId',
  evolve: evolveBeneficiary,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ payee, isActive }) =>
    `${isActive ? 'LISTED' : 'INACTIVE'} ${payee.pixKey === null ? 'BANK' : 'PIX'}`,
  lookupKeys: ({ payee, isActive }) => (isActive ? [payeeKeyOf(payee)] : []),
  auditedFields: ({ payee, nickname, trusted, trustAskedBy, isActive }) => ({
    name: payee.name,
    document: maskedDocument(payee.document),
    nickname,
    trusted,
    trustAskedBy,
    active: isActive,
  }),
}
