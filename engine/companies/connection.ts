import type { ConnectionRole, RailConnection, RailState } from '../connections/rail-connection.ts'
import { termsIn } from '../connections/terms.ts'
import type { ProviderOffer } from '../kernel/context.ts'
import type { AccountId, CompanyId, ConnectionId, PersonId } from '../shared/ids.ts'
import { accountIdOf } from '../shared/ids.ts'
import type { Rail } from '../shared/rail.ts'

/** A company's connection to a bank, PSP or acquirer (rails, section 1.5). Its secrets are sealed, and are in no account. */
export type CompanyConnection = {
  readonly id: ConnectionId
  readonly companyId: CompanyId
  /** The Sandbox has providers of its own, which all its accounts share. */
  readonly environment: 'PRODUCTION'
  /** The name of the provider's module. */
  readonly provider: string
  readonly rails: readonly Rail[]
  readonly offers: readonly ProviderOffer[]
  readonly role: ConnectionRole
  readonly state: ConnectionState
  /** Why it is suspended; null unless it is. */
  readonly suspension: Suspension | null
  readonly credentials: Credentials
  /** Those before the last rotation, which can be taken back until then. */
  readonly former: (Credentials & { readonly untilMs: number }) | null
  /** The random part of the address for notices, sealed: we write it to the provider, and compare what comes. */
  readonly sealedHookToken: string
  /** The first eight characters of the CNPJ of the provider's institution; absent where the provider's module says none. */
  readonly institution?: string
  /** Who asked for its activation, which another person has to confirm; null where none waits. */
  readonly requested: { readonly by: PersonId; readonly atMs: number } | null
  /** Grows with every change, so that an account never replaces what is newer by what is older. */
  readonly revision: number
  /** The revision by which its credentials came; absent while it has its first ones. */
  readonly credentialsRevision?: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** When a restore was last found to have stopped it; absent where none has. */
  readonly stoppedAtMs?: number
  /** When it was first put to use; absent before that. */
  readonly activatedAtMs?: number
}

/** What opens the way to a provider. */
export type Credentials = {
  /** As the module's schema says, without the secret ones. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The secret ones, each sealed for this connection and its own name. */
  readonly sealed: Readonly<Record<string, string>>
  /** Null where there is none, or the provider alone knows. */
  readonly certificate: ConnectionCertificate | null
}

export type ConnectionCertificate = { readonly subject: string | null; readonly endsAtMs: number }

/**
 * `DRAFT` until it was tried. An `ACTIVE` one takes what is new; a `SUSPENDED` or `RETIRED` one still answers inquiries, and refunds what
 * came by it.
 */
export const connectionStates = ['DRAFT', 'VERIFIED', 'ACTIVE', 'SUSPENDED', 'RETIRED'] as const
export type ConnectionState = (typeof connectionStates)[number]

/**
 * A person's or operator's will, the end of its certificate, or a restore: to before it was stopped, to before its credentials were replaced,
 * or to before it was there at all, which leaves it without any.
 */
export const suspensions = [
  'REQUESTED',
  'CERTIFICATE_EXPIRED',
  'DATA_RESTORED',
  'CREDENTIALS_OUTDATED',
  'CREDENTIALS_LOST',
] as const
export type Suspension = (typeof suspensions)[number]

export type ConnectionFact =
  | { readonly type: 'ConnectionCreated'; readonly connection: CompanyConnection }
  /** It was opened and answered. A draft becomes `VERIFIED`; what is known of its certificate may be new. */
  | (OfConnection<'ConnectionVerified'> & { readonly certificate: ConnectionCertificate | null })
  /** A person wants it active, and another one has to confirm that. */
  | (OfConnection<'ConnectionActivationRequested'> & { readonly by: PersonId })
  | OfConnection<'ConnectionActivated'>
  | (OfConnection<'ConnectionSuspended'> & { readonly cause: Suspension })
  | OfConnection<'ConnectionResumed'>
  /** It has other credentials; those before can be taken back until `formerUntilMs`. */
  | (OfConnection<'ConnectionRotated'> & {
      readonly credentials: Credentials
      readonly formerUntilMs: number
    })
  /** The credentials before the rotation are in use once more. */
  | OfConnection<'ConnectionRestored'>
  | OfConnection<'ConnectionRetired'>
  /** Its account knew more of it than the directory, which was restored to an earlier moment: its revision is above both from now on. */
  | (OfConnection<'ConnectionOutdated'> & {
      readonly state: RailState
      readonly knownRevision: number
      /** Whether its credentials are older than those that were in use. */
      readonly areCredentialsOlder?: true
    })
  /** An account had it, and the directory did not, because it was restored to an earlier moment. What the account does not know is lost. */
  | (OfConnection<'ConnectionRecovered'> & { readonly connection: CompanyConnection })
  /** The account has the connection as it was at this revision. */
  | (OfConnection<'ConnectionApplied'> & { readonly revision: number })
  /** Its bank has taken our address for reports, where the problem is null, or has not: the node that asks it says so to all others. */
  | (OfConnection<'ConnectionAddressNoted'> & { readonly problem: string | null })

type OfConnection<Type extends string> = {
  readonly type: Type
  readonly id: ConnectionId
  readonly atMs: number
}

/** A company's connections, and what the accounts have of them. */
export type CompanyConnections = {
  readonly byId: ReadonlyMap<ConnectionId, CompanyConnection>
  /** The revision that the account of each has. */
  readonly applied: ReadonlyMap<ConnectionId, number>
  /** Why banks have not taken our address for reports; missing for all others. */
  readonly unregistered: ReadonlyMap<ConnectionId, string>
}

/** The account that a connection serves. */
export const accountOfConnection = ({ companyId, environment }: CompanyConnection): AccountId =>
  accountIdOf(companyId, environment)

/** What the account has to know of a connection; null while it is not in use yet. */
export const railConnectionIn = (connection: CompanyConnection): RailConnection | null => {
  const { id: connectionId, provider, rails, role, state, offers, revision, credentials } = connection
  if (!isInUse(state)) return null
  const { pixKey } = credentials.settings
  const { credentialsRevision } = connection
  return {
    connectionId,
    provider,
    rails,
    role,
    state,
    offers,
    pixKey: typeof pixKey === 'string' ? pixKey : null,
    terms: termsIn(credentials.settings),
    revision,
    ...(credentialsRevision !== undefined && { credentialsRevision }),
  }
}

/** The base of the CNPJ of the institution that holds the account: a cooperative may be another one than its bank. */
export const institutionBehind = ({ institution, credentials }: CompanyConnection): string | null => {
  const { institution: stated } = credentials.settings
  return typeof stated === 'string' ? stated : (institution ?? null)
}

/** Whether a restore has left it without the credentials that are in use at its bank, so that a person has to see that it works. */
export const areCredentialsDoubted = ({ suspension }: Pick<CompanyConnection, 'suspension'>): boolean =>
  suspension === 'CREDENTIALS_OUTDATED' || suspension === 'CREDENTIALS_LOST'

/** Whether it is, or was, in use: it may have transactions of its own. */
export const isInUse = (state: ConnectionState): state is RailState =>
  state === 'ACTIVE' || state === 'SUSPENDED' || state === 'RETIRED'

/** Whether the account has to be reached yet about what the directory says. */
export const isUnapplied = ({ applied }: CompanyConnections, connection: CompanyConnection): boolean =>
  isInUse(connection.state) && (applied.get(connection.id) ?? 0) < connection.revision

/** The other connection that has this one's place: of an account and rail one is primary, and one the fallback. */
export const holderOfPlace = (
  { byId }: CompanyConnections,
  connection: CompanyConnection,
): CompanyConnection | null =>
  [...byId.values()].find(
    (other) =>
      other.id !== connection.id &&
      other.companyId === connection.companyId &&
      other.environment === connection.environment &&
      other.role === connection.role &&
      (other.state === 'ACTIVE' || other.state === 'SUSPENDED') &&
      other.rails.some((rail) => connection.rails.includes(rail)),
  ) ?? null

/** Whether reais can leave by it, so that one person alone does not put it to use. */
export const paysOut = ({ rails }: Pick<CompanyConnection, 'rails'>): boolean => rails.includes('PAYOUT')

/** How long the credentials before a rotation can be taken back. */
export const formerCredentialsMs = 24 * 3_600_000
