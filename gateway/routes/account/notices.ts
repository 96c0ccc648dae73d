import Type from 'typebox'
import type { MailChoices } from '../../../engine/notices/account-part.ts'
import { type NoticeKind, noticeKinds } from '../../../engine/notices/notice.ts'
import type { NoticeId, PersonId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute, type RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { noticePreferences, noticeResource, ofChosenKinds } from '../../resources/account/notice.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { doneResource } from '../../resources/people/session.ts'
import { choice, idParameter } from '../../schema/schema.ts'
import { pagingParameters, readPaging } from '../paging.ts'

const ofNotices = { tag: 'Dashboard', permission: 'MEMBER', product: null } as const

export const listNoticesRoute = queryRoute({
  ...ofNotices,
  verb: 'GET',
  path: '/v1/notifications',
  operationId: 'listNotices',
  summary: 'List notices',
  description:
    'What happened in the last 90 days that this person’s role can act on, newest first. An alert about webhooks comes here, because it could not come by webhook.',
  parameters: pagingParameters({
    unread: Type.Optional({
      ...choice('true', 'false'),
      description: 'With `true` only what this person has not read.',
    }),
  }),
  answer: listOfRows(noticeResource.schema),
  read: (query) => readPaging(query, { isUnreadOnly: query.unread === 'true' }),
  query: (input, request) =>
    ({ type: 'ListNotices', ...readerOf(request), kinds: kindsOf(request), ...input }) as const,
  view: (listed, input, { personal }) => ({
    body: listView(listed, input, (notice) => noticeResource.view(notice, personal.open)),
  }),
})

export const readNoticesRoute = commandRoute({
  ...ofNotices,
  verb: 'POST',
  path: '/v1/notifications/read',
  operationId: 'readNotices',
  summary: 'Mark notices as read',
  description: 'For this person alone. Without `ids` all that there are.',
  refusals: [404],
  body: Type.Object(
    {
      ids: Type.Optional(
        Type.Array(idParameter('A notice, `ntf_…`.'), {
          minItems: 1,
          maxItems: bounds.pageSizeMax,
          uniqueItems: true,
          description: 'Only these.',
        }),
      ),
    },
    { examples: [{}] },
  ),
  answer: doneResource,
  read: ({ ids }) => ({ noticeIds: (ids as readonly NoticeId[] | undefined) ?? null }),
  command: (input, request) =>
    ({
      type: 'ReadNotices',
      by: request.by,
      ...readerOf(request),
      kinds: kindsOf(request),
      ...input,
    }) as const,
  view: () => ({ body: { done: true } }),
})

export const getNoticePreferencesRoute = queryRoute({
  ...ofNotices,
  verb: 'GET',
  path: '/v1/notifications/preferences',
  operationId: 'getNoticePreferences',
  summary: 'Get what comes by mail',
  description: 'For this person, in this environment of this company.',
  answer: noticePreferences.schema,
  query: (_, request) => ({ type: 'FindMailChoices', ...readerOf(request) }) as const,
  view: (mail, _, { environment }) => ({ body: noticePreferences.view(mail, environment) }),
})

export const setNoticePreferencesRoute = commandRoute({
  ...ofNotices,
  verb: 'PUT',
  path: '/v1/notifications/preferences',
  operationId: 'setNoticePreferences',
  summary: 'Choose what comes by mail',
  description: 'Kinds that are left out stay as they are. What is about security is mailed in any case.',
  body: Type.Object(
    {
      mail: Type.Object(
        ofChosenKinds(() => Type.Optional(Type.Boolean({ description: 'Whether it comes by mail, too.' }))),
        { description: 'By kind of notice.' },
      ),
    },
    { examples: [{ mail: { DELIVERY_FAILING: false } }] },
  ),
  answer: noticePreferences.schema,
  read: ({ mail }) => ({ mail: mail as MailChoices }),
  command: (input, request) =>
    ({ type: 'ChooseNoticeMail', by: request.by, ...readerOf(request), ...input }) as const,
  view: ({ state }, _, request) => ({
    body: noticePreferences.view(
      state.noticeReaders?.[readerOf(request).personId]?.mail ?? {},
      request.environment,
    ),
  }),
})

/** No key has a role, so it is a person who asks. */
const readerOf = ({ accountId, by }: RequestContext) => ({ accountId, personId: by.id as PersonId })

const kindsOf = ({ caller }: RequestContext): readonly NoticeKind[] => {
  const held = caller.kind === 'PERSON' ? caller.permissions : new Set<string>()
  return (Object.keys(noticeKinds) as NoticeKind[]).filter((kind) => {
    const permission = noticeKinds[kind]
    return permission !== null && held.has(permission)
  })
}
