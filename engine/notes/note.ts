import type { ActorDefinition } from '../kernel/actor.ts'
import type { Request } from '../kernel/command.ts'
import type { ActorFact } from '../kernel/fact.ts'
import type { Listed, Paging, Question } from '../kernel/query.ts'
import { assert } from '../shared/assert.ts'
import type { AccountId, NoteId, PersonId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly note: Note
  }
  interface ActorFacts {
    readonly note: NoteFact
  }
  interface FolderCommands {
    readonly notes: AddNote | RemoveNote
  }
  interface FolderQueries {
    readonly notes: ListNotes
  }
  interface Answers {
    readonly ListNotes: Listed<Note> | null
  }
  interface FolderRefusals {
    readonly notes:
      | { readonly reason: 'TOO_MANY_NOTES'; readonly notesMax: number }
      | { readonly reason: 'NOTE_OF_ANOTHER' }
  }
}

/** What a person of the company wrote about a transaction or a customer, for those who can read it. All times are real. */
export type Note = NewNote & {
  readonly id: NoteId
  readonly isRemoved: boolean
  readonly createdAtMs: number
}

export type NewNote = {
  readonly accountId: AccountId
  /** The transaction or customer. */
  readonly objectId: string
  readonly personId: PersonId
  /** The author's name at the time, sealed. */
  readonly name: string
  readonly text: string
}

export type NoteFact = (Fact<'NoteAdded'> & { readonly note: NewNote }) | Fact<'NoteRemoved'>

type Fact<Type extends string> = ActorFact<'note', Type>

export type AddNote = Request<'AddNote'> & {
  readonly noteId: NoteId
  readonly note: Omit<NewNote, 'accountId'>
}

export type RemoveNote = Request<'RemoveNote'> & {
  readonly noteId: NoteId
  readonly personId: PersonId
  /** Whether the person may also remove what others wrote. */
  readonly mayRemoveAny: boolean
}

/** Lists the notes about an object, newest first; null where the account has no such object. */
export type ListNotes = Question<'ListNotes'> & Paging & { readonly objectId: string }

export const noteKind: ActorDefinition<Note, NoteFact> = {
  prefix: 'nte',
  namedBy: 'noteId',
  evolve: (note, event) => {
    if (event.type === 'NoteAdded') {
      assert(note === undefined, 'a note is added once')
      return { id: event.id, isRemoved: false, createdAtMs: event.atMs, ...event.note }
    }
    assert(note !== undefined, 'NoteRemoved follows NoteAdded')
    return { ...note, text: '', isRemoved: true }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  lookupKeys: ({ isRemoved, objectId }) => (isRemoved ? none : [objectId]),
  // What was written stays among those who read the object.
  auditedFields: ({ objectId, isRemoved }) => ({ objectId, isRemoved }),
}

/** The kind of object that a note is about, by the prefix of its id; undefined for kinds that have no notes. */
export const notedKind = (objectId: string): 'transaction' | 'customer' | undefined =>
  notedKinds[objectId.slice(0, 4)]

const notedKinds: Readonly<Record<string, 'transaction' | 'customer'>> = {
  txn_: 'transaction',
  cus_: 'customer',
}

const none: readonly string[] = []
