import type { RailConnection } from '../connections/rail-connection.ts'
import { type AccountId, companyIdOf, timeOfId } from '../shared/ids.ts'
import type { CompanyConnection } from './connection.ts'

/**
 * A connection as its account knows it, for a directory that was restored to before it was made. It has no credentials, and takes nothing new
 * until a person gives them: what came by it can be neither inquired nor refunded before that. What was retired stays so.
 */
export const recoveredConnection = (
  accountId: AccountId,
  known: RailConnection,
  more: Pick<CompanyConnection, 'sealedHookToken' | 'institution'>,
  atMs: number,
): CompanyConnection => {
  const { connectionId: id, provider, rails, role, offers, pixKey, terms, state } = known
  const isRetired = state === 'RETIRED'
  const revision = known.revision + 1
  const createdAtMs = timeOfId(id)
  return {
    ...{ id, companyId: companyIdOf(accountId), environment: 'PRODUCTION', provider, rails, offers, role },
    state: isRetired ? 'RETIRED' : 'SUSPENDED',
    suspension: isRetired ? null : 'CREDENTIALS_LOST',
    credentials: {
      settings: { ...(pixKey !== null && { pixKey }), ...(terms !== null && { terms: settingOf(terms) }) },
      sealed: {},
      certificate: null,
    },
    former: null,
    ...more,
    requested: null,
    revision,
    credentialsRevision: revision,
    createdAtMs,
    updatedAtMs: atMs,
    activatedAtMs: createdAtMs,
    ...(!isRetired && { stoppedAtMs: atMs }),
  }
}

/** The setting that `termsIn` reads. */
const settingOf = (terms: NonNullable<RailConnection['terms']>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(terms).map(([rail, { percentBps, fixedCents }]) => [
      rail,
      { percentBps, fixedAmount: fixedCents },
    ]),
  )
