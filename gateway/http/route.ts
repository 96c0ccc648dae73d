import type { Static, TObject, TSchema } from 'typebox'
import type { Company, Scope } from '../../engine/directory/directory.ts'
import type { ActorState, Answers, Command, Query } from '../../engine/kernel/registry.ts'
import type { Reply, StateFor } from '../../engine/kernel/reply.ts'
import type { AccountId, Entropy, Environment } from '../../engine/shared/ids.ts'
import type { Initiator } from '../../engine/shared/initiator.ts'
import type { Product } from '../../engine/shared/product.ts'
import type { FieldError, Problem } from './problem.ts'

/** A route is data: what it takes, what it answers, and two functions, to the engine and back. */
export type Route = {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `:id` stands for one segment. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly scope: Scope
  readonly product: Product | null
  /** A product that has to be active for what a request asks, beside the route's own. */
  readonly alsoNeeds: ((input: never) => Product | null) | null
  readonly idempotent: boolean
  readonly sandboxOnly: boolean
  /** Counts against the allowance of exports, too: it is long work. */
  readonly isExport: boolean
  readonly body: TObject | null
  /**
   * What `read` checks between fields of the body, as JSON Schema, for the document: `read` says with better words than a
   * validator what is wrong.
   */
  readonly rules: object | null
  readonly query: TObject | null
  readonly status: 200 | 201
  /** What 202 says, with an answer of the same shape, where the work takes longer than a request may; null where it never does. */
  readonly later: string | null
  readonly answer: TSchema
  /** Refuses a body before its fields are looked at. */
  readonly guard: ((body: unknown) => Problem | null) | null
  /** The media types of an answer that is no JSON; none where it is. */
  readonly mediaTypes: readonly string[]
  /** Statuses beside those that every route can give, for the document. */
  readonly refusals: readonly number[]
  readonly action: Action
}

export type Action =
  | {
      readonly kind: 'command'
      /** What the body means, with defaults filled in: this, not the bytes, is what an idempotency key stands for. */
      readonly read: (body: unknown, query: unknown) => Read<unknown>
      readonly command: (input: never, request: RequestContext) => Command
      readonly view: (reply: Accepted, input: never, request: RequestContext) => Outcome
    }
  | {
      readonly kind: 'query'
      readonly read: (body: unknown, query: unknown) => Read<unknown>
      readonly query: (input: never, request: RequestContext) => Query
      readonly view: (answer: never, input: never, request: RequestContext) => Outcome | Promise<Outcome>
    }

export type Read<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

/** The reply to a command that was accepted, with the state of the actor that it is about. */
export type Accepted<State extends ActorState = ActorState> = Extract<Reply<State>, { accepted: true }>
export type View = JsonView | FileView | PieceView
export type JsonView = {
  readonly location?: string
  /** Where it is not the route's own. */
  readonly status?: 202
  readonly body: object
}
/** Bytes that are no JSON, with the name under which a browser saves them. */
export type FileView = {
  readonly bytes: Buffer
  readonly contentType: string
  readonly fileName: string
  /** They take the place of the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
}
/** A piece of a text that is made while it is sent; `next` says where it goes on, null that this was the last one. */
export type PieceView = {
  readonly piece: string
  readonly next: string | null
  readonly contentType: string
  readonly fileName: string
}
export type Outcome = View | Problem

/** Who asks, for what, and when. */
export type RequestContext = {
  readonly accountId: AccountId
  readonly company: Company
  readonly environment: Environment
  readonly by: Initiator
  /** The path's `:id`; empty where the path has none. */
  readonly id: string
  readonly atMs: number
  readonly entropy: Entropy
  /** The header that says which media types are wanted. */
  readonly accept: string | undefined
  /** The peer's address; known for operations that take money back. */
  readonly address: () => string
  /** Where an answer in pieces goes on; null for its first one. */
  readonly cursor: string | null
}

type Common = Omit<
  Route,
  | 'action'
  | 'idempotent'
  | 'sandboxOnly'
  | 'isExport'
  | 'body'
  | 'rules'
  | 'query'
  | 'refusals'
  | 'status'
  | 'later'
  | 'guard'
  | 'mediaTypes'
  | 'alsoNeeds'
> & {
  readonly isExport?: boolean
  readonly rules?: object
  readonly guard?: Route['guard']
  readonly mediaTypes?: readonly string[]
  readonly idempotent?: boolean
  readonly sandboxOnly?: boolean
  readonly status?: 200 | 201
  readonly later?: string
  readonly refusals?: readonly number[]
}

/** A route that changes something: `view` is given the state that its command is answered with. */
export const commandRoute = <Body extends TObject, Input, Sent extends Command>(
  route: Common & {
    readonly body?: Body
    readonly alsoNeeds?: (input: Input) => Product | null
    readonly read: (body: Static<Body>) => Input | Read<Input>
    readonly command: (input: Input, request: RequestContext) => Sent
    readonly view: (reply: Accepted<StateFor<Sent>>, input: Input, request: RequestContext) => Outcome
  },
): Route => ({
  ...common(route),
  alsoNeeds: (route.alsoNeeds as Route['alsoNeeds'] | undefined) ?? null,
  body: route.body ?? null,
  query: null,
  action: {
    kind: 'command',
    read: (body) => asRead(route.read(body as Static<Body>)),
    command: route.command as never,
    view: route.view as never,
  },
})

/** A route that only asks, by its query or, where that would be too long, by a body. */
export const queryRoute = <
  Parameters extends TObject,
  Input,
  Asked extends Query,
  Body extends TObject = TObject,
>(
  route: Common & {
    readonly parameters?: Parameters
    readonly body?: Body
    readonly read: (query: Static<Parameters>, body: Static<Body>) => Input | Read<Input>
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
    read: (body, query) => asRead(route.read(query as Static<Parameters>, body as Static<Body>)),
    query: route.query as never,
    view: route.view as never,
  },
})

const common = (route: Common) => ({
  verb: route.verb,
  path: route.path,
  operationId: route.operationId,
  summary: route.summary,
  description: route.description,
  tag: route.tag,
  scope: route.scope,
  product: route.product,
  answer: route.answer,
  idempotent: route.idempotent ?? false,
  sandboxOnly: route.sandboxOnly ?? false,
  status: route.status ?? 200,
  later: route.later ?? null,
  isExport: route.isExport ?? false,
  rules: route.rules ?? null,
  guard: route.guard ?? null,
  mediaTypes: route.mediaTypes ?? [],
  refusals: route.refusals ?? [],
})

const asRead = <Input>(read: Input | Read<Input>): Read<Input> =>
  typeof read === 'object' && read !== null && 'ok' in read
    ? (read as Read<Input>)
    : { ok: true, input: read as Input }

/** Whether an outcome is an error to show, not an answer. */
export const isProblem = (outcome: Outcome): outcome is Problem => 'code' in outcome
