import {
  type CompanyConnection,
  connectionStates,
  suspensions,
} from '../../../engine/companies/connection.ts'
import { connectionRoles } from '../../../engine/connections/rail-connection.ts'
import { termsIn } from '../../../engine/connections/terms.ts'
import { paymentRails } from '../../../engine/payments/methods/index.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { environment } from '../enumerations.ts'
import {
  amountOf,
  booleanOf,
  count,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

/** The ways that money moves by a connection. */
export const connectionRails = [...paymentRails, 'PAYOUT', 'KEYS'] as const

const shownSetting = namedObject('ConnectionSetting', 'A setting of a connection. No value is shown whole.', {
  name: textOf('Its name.'),
  secret: booleanOf('Whether it is sealed. Nothing of it is ever shown.'),
  last4: described(
    nullableText,
    'The last four characters of one that is no secret; null for one with fewer than eight.',
  ),
})

const shownTerms = namedObject('ConnectionTerms', 'What a bank takes of each movement of a rail.', {
  rail: textOf('Which way money moves.'),
  percentBps: count('Of the amount, in basis points.'),
  fixedAmount: amountOf('Beside that.'),
})

/** What the service knows of a connection beside what is stored of it. */
export type KnownOfConnection = {
  /** The name of its provider for people. */
  readonly label: string
  /** What it said when it was last asked; null where it is not in use and was not tried. */
  readonly standing: {
    readonly works: boolean | null
    readonly detail: string | null
    readonly askedAtMs: number | null
    readonly certificateEndsAtMs: number | null
    readonly hooksProblem: string | null
  } | null
  readonly notices: (typeof noticeStates)[number]
}

/** Whether a provider can report what happens, or has to be polled for it, and why. */
export const noticeStates = ['REPORTED', 'NO_PORT', 'NO_CERTIFICATE', 'UNREGISTERED'] as const

/** A connection as people and operators see it: nothing by which someone else could use it. */
export const connectionResource = resource<CompanyConnection, [nowMs: number, known: KnownOfConnection]>(
  'Connection',
  'A connection to a bank or acquirer, without its secrets.',
).with({
  ...identityFields('con', 'connection'),
  companyId: [textOf('The company, `cmp_…`.'), same],
  environment: [environment, same],
  provider: [textOf('The name of the provider, which charges show as their `providerId`.'), same],
  providerLabel: [textOf('The name of the provider for people.'), (_, __, { label }) => label],
  rails: [listOf(choice(...connectionRails), 'The ways that money moves by it.'), same],
  role: [
    described(
      choice(...connectionRoles),
      'PRIMARY: takes what is new. FALLBACK: takes it while the primary one is not active, or answers nothing.',
    ),
    same,
  ],
  status: [
    described(
      choice(...connectionStates),
      'DRAFT until it was tried. ACTIVE takes what is new. SUSPENDED and RETIRED ones still refund what came by them; RETIRED is for good.',
    ),
    (c) => c.state,
  ],
  suspendedBecause: [
    nullableField(
      choice(...suspensions),
      'REQUESTED by a person; CERTIFICATE_EXPIRED; DATA_RESTORED where the service was restored to before it was stopped, CREDENTIALS_OUTDATED to before its credentials were replaced (verify it, or rotate them once more), CREDENTIALS_LOST to before it was made (rotate them). Null unless it is suspended.',
    ),
    (c) => c.suspension,
  ],
  activationRequestedAt: [
    nullableField(
      instant,
      'When a person asked for its activation, which another one has to confirm; null where none waits.',
    ),
    (c) => instantOrNull(c.requested?.atMs),
  ],
  activationRequestedBy: [
    described(nullableText, 'The person who asked for it, `per_…`; null where none waits.'),
    (c) => c.requested?.by ?? null,
  ],
  works: [
    nullableField(
      booleanOf('Whether it worked.'),
      'Whether it worked when its provider was last asked, also before it is in use; null until it was asked.',
    ),
    (_, __, { standing }) => standing?.works ?? null,
  ],
  problem: [
    described(
      nullableText,
      'What its provider said, where it does not work, or does not take the address for its reports.',
    ),
    (_, __, { standing }) => standing?.detail ?? standing?.hooksProblem ?? null,
  ],
  checkedAt: [
    nullableField(instant, 'When its provider was last asked; null where it was not.'),
    (_, __, { standing }) => instantOrNull(standing?.askedAtMs),
  ],
  notices: [
    described(
      choice(...noticeStates),
      'REPORTED: the provider reports what happens. NO_PORT, NO_CERTIFICATE: it cannot, since this installation has no port for that, or its operator has not said which certificate the provider has. UNREGISTERED: it has not taken the address for its reports; `problem` says why. It is asked each minute then.',
    ),
    (_, __, { notices }) => notices,
  ],
  settings: [listOf(shownSetting, 'The settings that it has.'), (c) => shownSettings(c)],
  terms: [
    listOf(
      shownTerms,
      'What the bank takes of each movement, as the setting `terms` says; empty where it says nothing.',
    ),
    ({ credentials }) =>
      Object.entries(termsIn(credentials.settings) ?? {}).map(([rail, { percentBps, fixedCents }]) => ({
        rail,
        percentBps,
        fixedAmount: String(fixedCents),
      })),
  ],
  certificateSubject: [
    described(nullableText, 'Whose certificate it has; null where only the provider knows.'),
    (c) => c.credentials.certificate?.subject ?? null,
  ],
  certificateEndsAt: [
    nullableField(instant, 'When its certificate ends; null where it has none.'),
    ({ credentials: { certificate } }, _, { standing }) =>
      instantOrNull(standing?.certificateEndsAtMs ?? certificate?.endsAtMs),
  ],
  formerCredentialsUntil: [
    nullableField(
      instant,
      'Until when the credentials before the last rotation can be taken back; null where there are none.',
    ),
    ({ former }, nowMs) => (former !== null && former.untilMs > nowMs ? instantOrNull(former.untilMs) : null),
  ],
  ...datedFields,
})

const shownSettings = ({ credentials: { settings, sealed } }: CompanyConnection) => [
  ...Object.entries(settings).map(([name, value]) => ({ name, secret: false, last4: lastOf(value) })),
  ...Object.keys(sealed).map((name) => ({ name, secret: true, last4: null })),
]

/** Four characters would be most of a short text. */
const lastOf = (value: unknown): string | null => {
  if (typeof value === 'object') return null
  const text = String(value).trim()
  return text.length >= 8 && !text.includes('\n') ? text.slice(-4) : null
}
