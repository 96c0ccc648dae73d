import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { CompanyId, Environment, PersonId, SessionId } from '../../engine/shared/ids.ts'
import type { ProblemCode } from '../problems/catalogue.ts'
import type { Language } from '../problems/language.ts'
import type { Problem } from '../problems/problem.ts'

/** A request to the main thread. */
export type Asked = {
  readonly operation: string
  readonly input: object
  readonly by: Asker
}

/** An operation as a passkey signs it: where it is to be done, and what it is (dashboard, section 1.5). */
export type Confirmable = {
  /** Null for what is about the person alone. */
  readonly companyId: CompanyId | null
  readonly environment: Environment | null
  /** SHA-256 of verb, path, query and meaning of the body, in base64url. */
  readonly digest: string
}

/** Who asks for an operation, with the details that its record names. */
export type Asker = Confirmable & {
  readonly kind: 'PERSON' | 'KEY' | 'STRANGER' | 'OPERATOR' | 'CLOCK'
  readonly personId: PersonId | null
  readonly sessionId: SessionId | null
  readonly ip: string
  readonly userAgent: string
  readonly requestId: string | null
  /** The operation's name, such as `keys roll`. */
  readonly operation: string
  /** The header `Service-Second-Factor`; null without it. */
  readonly secondFactor: string | null
}

/** Appends a fact of the directory, and says who asks for it; by default the service itself. */
export type CommitBy = (decide: () => DirectoryFact | null, by?: Asker) => Promise<void>

/** Has the main thread do an operation; resolves to its answer, or to why it is refused. */
export type Operate = (asked: Asked) => Promise<object | Problem>

/** The outcome of an operation as it crosses threads: a problem's texts are functions, and cannot. */
export type OperationOutcome =
  | { readonly type: 'DONE'; readonly answer: object }
  | ({ readonly type: 'REFUSED' } & RefusedOperation)
  | { readonly type: 'FAILED'; readonly message: string }

type RefusedOperation = {
  readonly code: ProblemCode
  /** The detail where the code's general cause says too little; null elsewhere. */
  readonly texts: Readonly<Record<Language, string>> | null
  readonly extra: Readonly<Record<string, unknown>>
}

/** The command line. */
export const operatorAsks: Asker = {
  kind: 'OPERATOR',
  personId: null,
  sessionId: null,
  ip: '127.0.0.1',
  userAgent: '',
  requestId: null,
  operation: '',
  secondFactor: null,
  companyId: null,
  environment: null,
  digest: '',
}

/** The service itself, because the time for something has come. */
export const clockAsks = (operation: string): Asker => ({ ...operatorAsks, kind: 'CLOCK', operation })
