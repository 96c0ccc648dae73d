import type { Static, TObject, TSchema } from 'typebox'
import type { Company } from '../../engine/companies/company.ts'
import type { Directory } from '../../engine/companies/directory.ts'
import type { PackedStates } from '../../engine/kernel/ports.ts'
import type { ActorState, Answers, Command, Query } from '../../engine/kernel/registry.ts'
import type { Reply, StateFor } from '../../engine/kernel/reply.ts'
import { isScope } from '../../engine/people/permission.ts'
import type {
  AccountId,
  CheckoutSessionId,
  Entropy,
  Environment,
  PaymentLinkId,
  PortalSessionId,
} from '../../engine/shared/ids.ts'
import type { Initiator } from '../../engine/shared/initiator.ts'
import type { Product } from '../../engine/shared/product.ts'
import type { Heard } from '../events/live/feeds.ts'
import type { Access } from '../identity/access.ts'
import type { Confirmable } from '../identity/asked.ts'
import type { Caller } from '../identity/caller.ts'
import type { PersonalTexts } from '../identity/personal-texts.ts'
import type { FieldError, Problem } from '../problems/problem.ts'
import type { CardTokens } from '../providers/card-tokens.ts'
import type { CsvForm } from '../resources/csv-format.ts'
import { knownPart } from '../schema/body-fields.ts'

/** A route is data: what it takes, what it answers, and two functions, one to the engine and one back. */
export type Route = {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `:id` stands for one segment. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly permission: Access
  /** Whether keys are refused whatever their scopes. */
  readonly isForPeople: boolean
  /** What a person has to prove with a second factor. */
  readonly factor: Factor
  /** Members of the body that need a factor for this very operation where the rest of the route does not. */
  readonly factorFields: readonly string[]
  readonly product: Product | null
  /** The products that the request needs in addition to the route's own. */
  readonly alsoNeeds: ((input: never) => readonly Product[]) | null
  readonly idempotent: boolean
  readonly sandboxOnly: boolean
  /** Exports also count against a rate limit of their own, because they are expensive. */
  readonly isExport: boolean
  /** Whether the audit log records it (dashboard, section 1.7). Operations write their own records. */
  readonly isAudited: boolean
  readonly body: TObject | null
  /**
   * The checks of `read` between fields of the body, as JSON Schema for the document. `read` reports violations in better words
   * than a validator would.
   */
  readonly rules: object | null
  readonly query: TObject | null
  readonly status: 200 | 201 | 202
  /**
   * The description of a 202, which has the same shape as the answer, for work that takes longer than a request may; null if it
   * never does.
   */
  readonly later: string | null
  readonly answer: TSchema
  /** Refuses a whole body before its fields are checked. */
  readonly guard: ((body: unknown) => Problem | null) | null
  /** The media types of an answer that is not JSON; empty if it is. */
  readonly mediaTypes: readonly string[]
  /** Statuses in addition to those that every route can answer, for the document. */
  readonly refusals: readonly number[]
  readonly action: Action
}

/** Whether a route admits keys that have its scope (payments-api, Authentication). */
export const takesKeys = ({ permission, isForPeople }: Pick<Route, 'permission' | 'isForPeople'>): boolean =>
  !isForPeople && isScope(permission)

/** SESSION: a factor of the last minutes on this session. OPERATION: a factor for this very operation (dashboard, section 1.5). */
export type Factor = 'NONE' | 'SESSION' | 'OPERATION'

export type Action =
  | {
      readonly kind: 'command'
      /** The meaning of the body with defaults filled in. Idempotency keys are compared by this, not by the bytes. */
      readonly read: ReadInput
      readonly command: (input: never, request: RequestContext) => Command
      readonly view: (reply: Accepted, input: never, request: RequestContext) => Outcome
    }
  | {
      readonly kind: 'query'
      readonly read: ReadInput
      readonly query: (input: never, request: RequestContext) => Query
      readonly view: (answer: never, input: never, request: RequestContext) => Outcome | Promise<Outcome>
    }
  | {
      readonly kind: 'operation'
      readonly read: ReadInput
      /** The name of the main thread's operation. */
      readonly operation: string
      /** Refuses input for reasons that a schema cannot express. */
      readonly refuse?: (input: never, request: RequestContext) => Problem | null
      readonly input: (input: never, request: RequestContext) => object
      readonly view: (answer: never, input: never, request: RequestContext) => Outcome
    }
  | {
      /** The news of the account, as an endless stream. */
      readonly kind: 'live'
      readonly read: ReadInput
      readonly view: (heard: Heard) => PieceView
    }

/** Reads a body and a query that their schemas have accepted: an input, or a `Read`. Null for a route that takes nothing. */
type ReadInput = ((body: never, query: never) => unknown) | null

export type Read<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

/** The reply to an accepted command, with the state of the actor that was changed. */
export type Accepted<State extends ActorState = ActorState> = Extract<Reply<State>, { accepted: true }>
export type View = JsonView | ShownView | FileView | PieceView
export type JsonView = {
  readonly location?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Set only if it differs from the route's own. */
  readonly status?: 202
  readonly body: object
}
/** An answer determined by the states that it shows: while they are the same, so are its bytes. */
export type ShownView = {
  /** A state, and whatever else the answer depends on, each compared by identity. */
  readonly shows: readonly [state: object, ...others: unknown[]]
  readonly bodyOf: () => object
}
/** Bytes that are not JSON, with the name under which a browser saves them. */
export type FileView = {
  readonly bytes: Buffer
  readonly contentType: string
  readonly fileName: string
  /** Override the usual headers. */
  readonly headers?: Readonly<Record<string, string>>
}
/**
 * A piece of a streamed text, in UTF-8; `next` is where it continues, or null after the last one. A piece after the first one may still be written
 * somewhere else while the next one is begun.
 */
export type PieceView = {
  readonly piece: Uint8Array | Promise<Uint8Array>
  readonly next: string | null
  readonly contentType: string
  /** Null for what is not saved. */
  readonly fileName: string | null
}
export type Outcome = View | Problem

/** Who is asking, for what, and when. */
export type RequestContext = {
  readonly accountId: AccountId
  readonly company: Company
  readonly environment: Environment
  /** For keys and endpoints, which no shard has. */
  readonly directory: Directory
  readonly by: Initiator
  readonly caller: Caller
  /** What a passkey signs to confirm a request, or why that would be refused. */
  readonly confirmableOf: (outstanding: OutstandingRequest) => Confirmable | Problem
  /** The origin of what the request creates. */
  readonly origin: 'API' | 'DASHBOARD'
  /** The path's `:id`; empty if the path has none. */
  readonly id: string
  readonly atMs: number
  readonly entropy: Entropy
  /** The `Accept` header. */
  readonly accept: string | undefined
  /** The peer's address, sealed if the caller is a person. */
  readonly address: () => string | null
  /** Where a streamed answer continues; null for its first piece. */
  readonly cursor: string | null
  /** Whether the client prefers a minimal answer, so that the rest need not be made. */
  readonly prefersMinimal: boolean
  readonly csvOf: CsvOf
  /** Seals personal texts before they are stored, and opens them for answers. */
  readonly personal: PersonalTexts
  readonly cardTokens: Pick<CardTokens, 'seal'>
  /** The addresses of the company's pages. */
  readonly pages: CompanyPages
}

/** The addresses of the pages of one company's checkout. */
export type CompanyPages = {
  /** What the secret part of a page's address hashes to. */
  readonly hashOf: (id: CheckoutSessionId | PaymentLinkId | PortalSessionId) => string
  readonly sessionUrl: (id: CheckoutSessionId) => string
  readonly linkUrl: (id: PaymentLinkId) => string
  readonly portalUrl: (id: PortalSessionId) => string
  /** Where customers ask for a link to their portal by mail; null where no mail is sent. */
  readonly portalEntryUrl: () => string | null
}

/** A request that is yet to be sent, once it is confirmed. */
export type OutstandingRequest = {
  readonly verb: string
  /** With the query, if there is one. */
  readonly path: string
  readonly body: object
}

/** Writes packed transactions as lines of CSV, in UTF-8, on another thread; as RFC 4180 says where no form is given. It takes over the bytes. */
export type CsvOf = (packed: PackedStates, form?: CsvForm) => Promise<Uint8Array>

/** The fields that every route gives, and those with defaults. */
type Common = Pick<
  Route,
  'verb' | 'path' | 'operationId' | 'summary' | 'description' | 'tag' | 'permission' | 'product' | 'answer'
> &
  Partial<
    Pick<
      Route,
      | 'isExport'
      | 'isAudited'
      | 'isForPeople'
      | 'guard'
      | 'mediaTypes'
      | 'idempotent'
      | 'sandboxOnly'
      | 'status'
      | 'refusals'
      | 'factor'
      | 'factorFields'
    >
  > & { readonly rules?: object; readonly later?: string }

/** A route that changes something: `view` gets the state after its command. */
export const commandRoute = <Body extends TObject, Input, Sent extends Command>(
  route: Common & {
    readonly body?: Body
    readonly alsoNeeds?: (input: Input) => readonly Product[]
    /** Absent from a route that takes nothing but its path. */
    readonly read?: (body: Static<Body>) => Input | Read<Input>
    readonly command: (input: Input, request: RequestContext) => Sent
    readonly view: (reply: Accepted<StateFor<Sent>>, input: Input, request: RequestContext) => Outcome
  },
): Route => ({
  ...common(route),
  isAudited: route.isAudited ?? true,
  alsoNeeds: (route.alsoNeeds as Route['alsoNeeds'] | undefined) ?? null,
  body: route.body ?? null,
  query: null,
  action: {
    kind: 'command',
    read: route.read ?? null,
    command: route.command as never,
    view: route.view as never,
  },
})

/** A route that only reads; its input is the query or, if that would be too long, a body. */
export const queryRoute = <
  Parameters extends TObject,
  Input,
  Asked extends Query,
  Body extends TObject = TObject,
>(
  route: Common & {
    readonly parameters?: Parameters
    readonly body?: Body
    readonly read?: (query: Static<Parameters>, body: Static<Body>) => Input | Read<Input>
    readonly query: (input: Input, request: RequestContext) => Asked
    readonly view: (
      answer: Answers[Asked['type']],
      input: Input,
      request: RequestContext,
    ) => Outcome | Promise<Outcome>
  },
): Route => ({
  ...common(route),
  alsoNeeds: null,
  body: route.body ?? null,
  query: route.parameters ?? null,
  action: {
    kind: 'query',
    read: route.read ? (body: Static<Body>, query: Static<Parameters>) => route.read!(query, body) : null,
    query: route.query as never,
    view: route.view as never,
  },
})

/** A route that the main thread serves: what concerns people, keys and endpoints is decided there. */
export const operationRoute = <
  Body extends TObject = TObject,
  Parameters extends TObject = TObject,
  Answer extends object = Record<string, unknown>,
>(
  route: Common & {
    readonly body?: Body
    readonly parameters?: Parameters
    readonly operation: string
    /** The operation's input, beside company and environment; by default the body, and the path's `id`. */
    readonly input?: (body: Static<Body>, query: Static<Parameters>, request: RequestContext) => object
    readonly refuse?: (body: Static<Body>, request: RequestContext) => Problem | null
    readonly view?: (answer: Answer, request: RequestContext) => Outcome
  },
): Route => ({
  ...common(route),
  alsoNeeds: null,
  body: route.body ?? null,
  query: route.parameters ?? null,
  action: {
    kind: 'operation',
    // Operations take more members than their routes let people set, so unknown ones are dropped.
    read: (body, query) => ({
      ok: true,
      input: { body: route.body === undefined ? {} : knownPart(route.body, body), query: query ?? {} },
    }),
    operation: route.operation,
    refuse: ({ body }: { body: Static<Body> }, request: RequestContext) =>
      route.refuse?.(body, request) ?? null,
    input: ({ body, query }: { body: Static<Body>; query: Static<Parameters> }, request: RequestContext) =>
      route.input?.(body, query, request) ?? { ...body, ...(request.id !== '' && { id: request.id }) },
    view: (answer: Answer, _: unknown, request: RequestContext) =>
      route.view?.(answer, request) ?? { body: answer },
  } as Action,
})

/** A route that streams the news of the account to a person. */
export const liveRoute = (route: Common & { readonly view: (heard: Heard) => PieceView }): Route => ({
  ...common(route),
  alsoNeeds: null,
  body: null,
  query: null,
  action: { kind: 'live', read: null, view: route.view },
})

const common = (route: Common) => ({
  verb: route.verb,
  path: route.path,
  operationId: route.operationId,
  summary: route.summary,
  description: route.description,
  tag: route.tag,
  permission: route.permission,
  isForPeople: route.isForPeople ?? false,
  factor: route.factor ?? 'NONE',
  factorFields: route.factorFields ?? [],
  product: route.product,
  answer: route.answer,
  idempotent: route.idempotent ?? false,
  sandboxOnly: route.sandboxOnly ?? false,
  status: route.status ?? 200,
  later: route.later ?? null,
  isExport: route.isExport ?? false,
  isAudited: route.isAudited ?? route.isExport ?? false,
  rules: route.rules ?? null,
  guard: route.guard ?? null,
  mediaTypes: route.mediaTypes ?? [],
  refusals: route.refusals ?? [],
})

/** Whether an outcome is a problem rather than an answer. */
export const isProblem = (outcome: Outcome): outcome is Problem => 'code' in outcome
