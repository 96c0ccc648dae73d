/** What a bank does in its own way. Where a bank follows the document, a field says what the document says. */
export type SimulatedProfile = {
  readonly name: string
  readonly label: string
  readonly ispb: string
  /** `finalidadeMED` and the rejection code AP15 exist since 2.10.0. */
  readonly version: '2.9.0' | '2.10.0'
  /** Where API Pix begins, and where tokens are given. */
  readonly base: string
  readonly tokenPath: string
  /** BASIC: id and secret in a header; BODY: both in the form; ID_ONLY: the id alone, beside the certificate. */
  readonly clientAuth: 'BASIC' | 'BODY' | 'ID_ONLY'
  readonly tokenSeconds: number
  /** Headers that every call must have beside its token. */
  readonly headers: readonly RequiredHeader[]
  readonly callback: CallbackForm
  /** Efí answers errors of its own form, and 409 where an id was used. */
  readonly errors: 'PROBLEM' | 'EFI'
  /** Whether a PIX shows what its amount is made of. Efí's does not, and in a charge it does not repeat the key. */
  readonly showsComponents: boolean
  /** What comes of the same charge put twice: the document makes a revision if it differs. */
  readonly repeatedPut: 'REVISION' | 'REFUSED'
  /** The longest window of a list in days; null where none is known. */
  readonly windowDaysMax: number | null
  /** Where the bank shows MEDs: Efí by a list of its own, Banco do Brasil by a filter. */
  readonly medFeed: 'EFI' | 'BB' | null
  /** The interface by which PIX are sent. */
  readonly sends: 'EFI' | 'INTER' | null
  /** The interface by which it shows its statement, beside Efí's reports. */
  readonly statement: 'INTER' | 'BB' | 'SICOOB' | null
}

export type RequiredHeader = {
  readonly name: string
  readonly is: 'CLIENT_ID' | 'APP_KEY' | 'UUID' | 'ACCOUNT' | 'TEXT'
  /** Some gateways read it from the query as well. */
  readonly orQuery?: boolean
}

export type CallbackForm = {
  /** Whether `/pix` is appended to the registered address. */
  readonly appendsPath: boolean
  /** `{"pix": […]}`, or the bare list. */
  readonly form: 'OBJECT' | 'ARRAY'
  /** Minutes from a failed attempt to the next. */
  readonly retryMinutes: readonly number[]
  readonly timeoutSeconds: number
  /** Efí asks the address once without and once with its certificate before it registers it. */
  readonly probes: boolean
  /** Whether the payer's name and document come with it. */
  readonly showsPayer: boolean
}
