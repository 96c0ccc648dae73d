import type { ProviderLimits } from '../port.ts'

/**
 * What a bank that speaks API Pix does in its own way. A bank is one file of such data in `profiles/` and a line in `../modules.ts`; what
 * could not be verified at the bank is a field here, with the default that harms least.
 */
export type BankProfile = {
  /** The module's name, and the bank's for people. */
  readonly name: string
  readonly label: string
  /** The first eight digits of its CNPJ. */
  readonly institution: string
  /** Its number among Brazilian banks (COMPE), which statements name. */
  readonly clearingCode: number
  /** `finalidadeMED` exists since 2.10.0 (R1). */
  readonly apiVersion: '2.9.0' | '2.10.0'
  /** The bank's own hosts; a connection chooses one, or names another. */
  readonly hosts: Readonly<Record<HostName, BankHost>>
  /** The part of a path that says which version of a resource is meant; `v2` unless it is named. */
  readonly versions: Readonly<Partial<Record<Resource, string>>>
  readonly token: {
    /** Id and secret in a header, both in the form, or the id alone beside the certificate. */
    readonly client: 'BASIC' | 'BODY' | 'ID_ONLY'
    readonly form: 'FORM' | 'JSON'
    /** Whether a token has only the scopes that were requested with it. */
    readonly scopesAreRequested: boolean
    /** Whether the test host takes a fixed token, which its portal shows, and no certificate. */
    readonly isFixedAtTestHost: boolean
  }
  /** What every call has beside its token. */
  readonly headers: readonly BankHeader[]
  readonly hook: {
    /** Whether the bank appends `/pix`, `/rec` and `/cobr` to the address that it is given. */
    readonly appendsPath: boolean
    /** Sent when an address is registered. */
    readonly headers: Readonly<Record<string, string>>
  }
  /** The longest window of a list in days; null where none is known. */
  readonly windowDaysMax: number | null
  readonly limits: ProviderLimits
  /** Where the bank lists MED; null where only the return shows that there was one. */
  readonly medFeed: 'EFI' | null
  /** The interface by which PIX are sent, which is none of API Pix. */
  readonly payOut:
    | { readonly kind: 'EFI' }
    /** For how many hours a request may be repeated under its idempotency key. Later a second one might be a second payment. */
    | { readonly kind: 'INTER'; readonly repeatableHours: number }
    | null
  /** The interface by which the bank gives its statement; null where its columns are in no public document. */
  readonly statement: StatementProfile | null
  /** Where a PIX shows what the bank took for it; null where none is known. */
  readonly tariffIn: 'gnExtras.tarifa' | null
  /** Where a PIX shows the tax that was withheld of it, as a path of names with dots; null where none is known (R35). */
  readonly taxWithheldIn: string | null
  /** Where a PIX shows its payer; null where it shows none, as the document has it. */
  readonly payerIn: 'pagador' | 'gnExtras.pagador' | null
}

export type StatementProfile =
  | { readonly kind: 'INTER' }
  /** At hosts of its own. */
  | { readonly kind: 'BB'; readonly hosts: Readonly<Record<HostName, string>> }
  /** Below these paths. */
  | { readonly kind: 'SICOOB'; readonly prefixes: Readonly<Record<HostName, string>> }

export type HostName = 'PRODUCTION' | 'TEST'

export type BankHost = {
  /** The whole address that gives tokens. */
  readonly token: string
  /** Scheme and host of everything else. */
  readonly api: string
  /** The path between the host and the version of API Pix, such as `/pix`. */
  readonly prefix: string
}

/** A resource of API Pix, the first part of its path. */
export type Resource =
  | 'cob'
  | 'cobv'
  | 'pix'
  | 'webhook'
  | 'rec'
  | 'solicrec'
  | 'locrec'
  | 'cobr'
  | 'webhookrec'
  | 'webhookcobr'

export type BankHeader = {
  readonly name: string
  /** Its value: a setting of the connection, or a new UUID for each call. */
  readonly is: 'CLIENT_ID' | 'APP_KEY' | 'ACCOUNT' | 'UUID'
}

/** The limits of rails, section 1.4, for a bank that publishes none of its own. */
export const unpublishedLimits: ProviderLimits = { inFlightMax: 64, waitingMax: 1_000, rates: [] }
