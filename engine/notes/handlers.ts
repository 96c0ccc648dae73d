import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Answerers } from '../kernel/reader.ts'
import { bounds } from '../shared/bounds.ts'
import { unlessRemoved } from '../shared/unless-removed.ts'
import { type AddNote, type ListNotes, notedKind, type RemoveNote } from './note.ts'

const addNote: Decider<AddNote> = (draft, { noteId: id, note }) => {
  const kind = notedKind(note.objectId)
  if (kind === undefined || draft.find(kind, note.objectId) === undefined)
    return { reason: 'REFERENCE_NOT_FOUND', field: 'objectId' }
  const { notesMax } = bounds
  if (draft.lookup('note', note.objectId).length >= notesMax) return { reason: 'TOO_MANY_NOTES', notesMax }
  const accountId = draft.account().id
  draft.add({ actor: 'note', type: 'NoteAdded', id, atMs: draft.context.atMs, note: { accountId, ...note } })
  return null
}

const removeNote: Decider<RemoveNote> = (draft, { noteId: id, personId, mayRemoveAny }) => {
  const note = unlessRemoved(draft.find('note', id))
  if (note === undefined) return { reason: 'NOT_FOUND', resource: 'note' }
  if (note.personId !== personId && !mayRemoveAny) return { reason: 'NOTE_OF_ANOTHER' }
  draft.add({ actor: 'note', type: 'NoteRemoved', id, atMs: draft.context.atMs })
  return null
}

/** Deciders for notes. */
export const noteDeciders: Deciders<AddNote | RemoveNote> = { AddNote: addNote, RemoveNote: removeNote }

/** An object has few notes, so all are read. */
export const noteAnswers: Answerers<ListNotes> = {
  ListNotes: (query, { find, listByKey, result }) => {
    const kind = notedKind(query.objectId)
    const isThere = kind !== undefined && find(kind, query.objectId).value !== null
    return result(isThere ? listByKey('note', query.objectId, query, () => true) : null)
  },
}
