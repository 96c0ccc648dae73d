import Type from 'typebox'
import type { PersonId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute, type RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { savedView, savedViews } from '../../resources/account/saved-view.ts'
import { doneResource } from '../../resources/people/session.ts'
import { textUpTo } from '../../schema/schema.ts'
import { forExisting, forNew } from '../command-target.ts'

const ofViews = { tag: 'Dashboard', permission: 'MEMBER', product: null, path: '/v1/views' } as const

export const listViewsRoute = queryRoute({
  ...ofViews,
  verb: 'GET',
  operationId: 'listViews',
  summary: 'List saved views',
  description: 'The named filters of this person, in this environment of this company.',
  answer: savedViews,
  query: (_, request) =>
    ({ type: 'ListViews', accountId: request.accountId, personId: personOf(request) }) as const,
  view: (views) => ({ body: { object: 'list', data: views.map(savedView.view) } }),
})

export const saveViewRoute = commandRoute({
  ...ofViews,
  verb: 'PUT',
  operationId: 'saveView',
  summary: 'Save a view',
  description: 'Keeps the filters of a page under a name, in the place of those that had it.',
  refusals: [409],
  body: Type.Object(
    {
      page: textUpTo(bounds.viewPageCharsMax, 'The page of the dashboard that it filters.'),
      name: textUpTo(bounds.viewNameCharsMax, 'What you call it.'),
      query: textUpTo(bounds.viewQueryCharsMax, 'The filters, as the query of the page’s address.'),
    },
    { examples: [{ page: 'transacoes', name: 'Pendentes', query: 'status=PENDING' }] },
  ),
  answer: savedView.schema,
  read: ({ page, name, query }) => ({ page: page.trim(), name: name.trim(), query: query.trim() }),
  command: (view, request) =>
    ({
      type: 'SaveView',
      ...forNew('viewId', request),
      view: { ...view, personId: personOf(request) },
    }) as const,
  view: ({ state }) => ({ body: savedView.view(state) }),
})

export const removeViewRoute = commandRoute({
  ...ofViews,
  verb: 'DELETE',
  path: '/v1/views/:id',
  operationId: 'deleteView',
  summary: 'Delete a saved view',
  description: 'One’s own.',
  refusals: [404],
  answer: doneResource,
  command: (_, request) =>
    ({ type: 'RemoveView', ...forExisting('viewId', request), personId: personOf(request) }) as const,
  view: () => ({ body: { done: true } }),
})

/** No key has a role, so it is a person who asks. */
const personOf = ({ by }: RequestContext): PersonId => by.id as PersonId
