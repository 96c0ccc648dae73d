import Type from 'typebox'
import type { NewNote } from '../../../engine/notes/note.ts'
import type { PersonId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute, type RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { isAllowed } from '../../identity/caller.ts'
import { notFound } from '../../problems/problem.ts'
import { note } from '../../resources/account/note.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { doneResource } from '../../resources/people/session.ts'
import { textUpTo } from '../../schema/schema.ts'
import { forExisting, forNew } from '../command-target.ts'
import { pagingParameters, readPaging } from '../paging.ts'

const ofNotes = { tag: 'Dashboard', product: null, isForPeople: true, path: '/v1/notes' } as const

const objectId = Type.String({
  format: 'noted-object',
  description: 'The transaction (`txn_…`) or customer (`cus_…`).',
  examples: ['txn_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
})

export const listNotesRoute = queryRoute({
  ...ofNotes,
  verb: 'GET',
  operationId: 'listNotes',
  summary: 'List notes',
  description: 'Those about one transaction or customer, newest first. No webhook tells of them.',
  permission: 'charges.read',
  refusals: [404],
  parameters: pagingParameters({ objectId }),
  answer: listOfRows(note.schema),
  read: (query) => readPaging(query, { objectId: query.objectId }),
  query: (input, { accountId }) => ({ type: 'ListNotes', accountId, ...input }) as const,
  view: (listed, input, { personal }) =>
    listed === null
      ? notFound(input.objectId.startsWith('txn_') ? 'transaction' : 'customer')
      : { body: listView(listed, input, (one) => note.view(one, personal.open)) },
})

export const addNoteRoute = commandRoute({
  ...ofNotes,
  verb: 'POST',
  operationId: 'addNote',
  summary: 'Write a note',
  description: `Everybody who can read the transaction or customer can read it. At most ${bounds.notesMax} stand at one (409).`,
  permission: 'support.manage',
  status: 201,
  idempotent: true,
  refusals: [409, 422],
  body: Type.Object(
    {
      objectId,
      text: textUpTo(bounds.noteTextCharsMax, 'Plain text, with line breaks.', { multiline: true }),
    },
    {
      examples: [
        {
          objectId: 'txn_01ARZ3NDEKTSV4RRFFQ69G5FAV',
          text: 'The customer called: the invoice goes to the office.',
        },
      ],
    },
  ),
  answer: note.schema,
  read: ({ objectId, text }) => ({ objectId, text: text.trim() }),
  command: (written, request) =>
    ({ type: 'AddNote', ...forNew('noteId', request), note: { ...written, ...authorOf(request) } }) as const,
  view: ({ state }, _, { personal }) => ({ body: note.view(state, personal.open) }),
})

export const removeNoteRoute = commandRoute({
  ...ofNotes,
  verb: 'DELETE',
  path: '/v1/notes/:id',
  operationId: 'deleteNote',
  summary: 'Delete a note',
  description: 'One’s own; owners and admins delete any.',
  permission: 'support.manage',
  refusals: [404],
  answer: doneResource,
  command: (_, request) =>
    ({
      type: 'RemoveNote',
      ...forExisting('noteId', request),
      personId: authorOf(request).personId,
      mayRemoveAny: isAllowed(request.caller, 'team.manage'),
    }) as const,
  view: () => ({ body: { done: true } }),
})

/** The person who is signed in; no key comes here. */
const authorOf = ({ caller, personal }: RequestContext): Pick<NewNote, 'personId' | 'name'> => {
  if (caller.kind !== 'PERSON') return { personId: '' as PersonId, name: '' }
  const { id, name } = caller.person
  return { personId: id, name: personal.seal(id, name) ?? '' }
}
