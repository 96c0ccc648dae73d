import type { ActorDefinition } from '../kernel/actor.ts'
import type { Request } from '../kernel/command.ts'
import type { ActorFact } from '../kernel/fact.ts'
import type { Memory } from '../kernel/ports.ts'
import type { Question } from '../kernel/query.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { AccountId, PersonId, ViewId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly view: SavedView
  }
  interface ActorFacts {
    readonly view: ViewFact
  }
  interface FolderCommands {
    readonly views: SaveView | RemoveView
  }
  interface FolderQueries {
    readonly views: ListViews
  }
  interface Answers {
    readonly ListViews: readonly SavedView[]
  }
  interface FolderRefusals {
    readonly views: { readonly reason: 'TOO_MANY_VIEWS'; readonly viewsMax: number }
  }
}

/** A person's named filters of a page (dashboard, section 4.6). All times are real. */
export type SavedView = NewView & {
  readonly id: ViewId
  readonly isRemoved: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** The content of a view. Page and name together are unique per person. */
export type NewView = {
  readonly accountId: AccountId
  readonly personId: PersonId
  readonly page: string
  readonly name: string
  readonly query: string
}

export type ViewFact =
  | (Fact<'ViewSaved'> & { readonly view: NewView })
  | (Fact<'ViewChanged'> & { readonly query: string })
  | Fact<'ViewRemoved'>

type Fact<Type extends string> = ActorFact<'view', Type>

/** Saves filters under a name; a view with the same page and name is replaced. */
export type SaveView = Request<'SaveView'> & {
  /** The id for a name that is new. */
  readonly viewId: ViewId
  readonly view: Omit<NewView, 'accountId'>
}

export type RemoveView = Request<'RemoveView'> & { readonly viewId: ViewId; readonly personId: PersonId }

export type ListViews = Question<'ListViews'> & { readonly personId: PersonId }

const evolveView = (view: SavedView | undefined, event: ViewFact): SavedView => {
  const { atMs } = event
  if (event.type === 'ViewSaved') {
    assert(view === undefined, 'a view is saved once under its id')
    return { id: event.id, isRemoved: false, createdAtMs: atMs, updatedAtMs: atMs, ...event.view }
  }
  assert(view !== undefined && !view.isRemoved, `${event.type} is about a view that is there`)
  switch (event.type) {
    case 'ViewChanged':
      return { ...view, query: event.query, updatedAtMs: atMs }
    case 'ViewRemoved':
      return { ...view, isRemoved: true, updatedAtMs: atMs }
    default:
      return unreachable(event)
  }
}

export const viewKind: ActorDefinition<SavedView, ViewFact> = {
  prefix: 'vew',
  namedBy: 'viewId',
  evolve: evolveView,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  lookupKeys: ({ isRemoved, personId }) => (isRemoved ? none : [personId]),
  madeBy: (command, memory) =>
    command.type === 'SaveView' ? (namedAlike(memory, command)?.id ?? null) : null,
  isKeptByReset: true,
}

const namedAlike = (memory: Memory, { accountId, view }: SaveView): SavedView | undefined =>
  memory
    .lookup('view', accountId, view.personId)
    .map(({ state }) => state)
    .find(isNamed(view))

/** Whether a view has the page and name of another. */
export const isNamed =
  ({ page, name }: Pick<NewView, 'page' | 'name'>) =>
  (view: SavedView): boolean =>
    view.page === page && view.name === name

const none: readonly string[] = []
