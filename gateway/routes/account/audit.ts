import Type, { type Static } from 'typebox'
import type { AuditEntry } from '../../../engine/audit/audit-entry.ts'
import type { ActedOn } from '../../../engine/search/acted-on.ts'
import type { EndpointId, InvitationId, KeyId, MembershipId, PersonId } from '../../../engine/shared/ids.ts'
import { queryRoute, type RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import {
  actedOnView,
  auditCheck,
  auditCsv,
  auditEntry,
  auditList,
  openEntry,
} from '../../resources/account/audit.ts'
import { listView } from '../../resources/list.ts'
import { choice, exactParameter } from '../../schema/schema.ts'
import { csvPiece, dialectParameter, withDialect } from '../csv-dialect.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { nextPlace, readPlace } from '../place.ts'

const ofAudit = { tag: 'Audit', product: null, verb: 'GET', permission: 'audit.read' } as const

const filters = {
  actor: exactParameter(
    bounds.idCharsMax,
    'Only what this person or key did, by id, or what actors of this kind did: PERSON, KEY, OPERATOR.',
  ),
  action: exactParameter(bounds.idCharsMax, 'Only this operation, such as `refundTransaction`.'),
  objectId: exactParameter(bounds.idCharsMax, 'Only what was done to this object.'),
}

const parameters = pagingParameters({
  ...filters,
  sealed: Type.Optional({
    ...choice('true', 'false'),
    description:
      'With `true` names, addresses and browsers of people as they are stored, which is what the hashes are made of: each sealed with the key of its person.',
  }),
})

const readFilters = (query: Static<typeof parameters>) =>
  readPaging(query, {
    actor: query.actor ?? null,
    action: query.action ?? null,
    objectId: query.objectId ?? null,
    isSealed: query.sealed === 'true',
  })

type Filters = { readonly isSealed: boolean }

/** How an entry is shown. */
const shown =
  ({ isSealed }: Filters, { personal }: RequestContext) =>
  (entry: AuditEntry): AuditEntry =>
    isSealed ? entry : openEntry(entry, personal.open)

export const listAuditEntriesRoute = queryRoute({
  ...ofAudit,
  path: '/v1/audit',
  operationId: 'listAuditEntries',
  summary: 'List the audit log',
  description:
    'Who did what in this environment, newest first. What concerns the company as a whole is in Production: its people, its profile, and sign-ins. Nothing deletes entries, not even a reset of the Sandbox. Of a person who was erased the id is left.',
  parameters,
  answer: auditList,
  read: readFilters,
  query: ({ isSealed: _, ...input }, { accountId }) => ({ type: 'ListActs', accountId, ...input }) as const,
  view: (listed, input, request) => {
    const asShown = shown(input, request)
    const objects = [...listed.objects, ...inDirectory(listed.rows, request)]
    return {
      body: {
        ...listView(listed, input, (entry) => auditEntry.view(asShown(entry))),
        objects: objects.map((one) => actedOnView(one)),
      },
    }
  },
})

/** The objects that the directory names: keys, endpoints, people and invitations. */
const inDirectory = (
  rows: readonly AuditEntry[],
  { directory: { keys, endpoints, people } }: RequestContext,
): readonly ActedOn[] => {
  const nameOf = ({ type, id }: NonNullable<AuditEntry['object']>): string | undefined => {
    switch (type) {
      case 'api_key':
        return keys.get(id as KeyId)?.name
      case 'webhook_endpoint':
        return endpoints.get(id as EndpointId)?.url
      case 'person':
        return people.persons.get(id as PersonId)?.name
      case 'membership': {
        const membership = people.memberships.get(id as MembershipId)
        return membership && people.persons.get(membership.personId)?.name
      }
      case 'invitation':
        return people.invitations.get(id as InvitationId)?.email
      default:
        return undefined
    }
  }
  const names = new Map<string, string>()
  for (const { object } of rows) {
    const name = object && nameOf(object)
    if (name) names.set(object.id, name)
  }
  return [...names].map(([id, name]) => ({ id, name, money: null, shownBy: null }))
}

const { page: _, pageSize: __, asOf: ___, ...exported } = parameters.properties

export const exportAuditEntriesRoute = queryRoute({
  ...ofAudit,
  path: '/v1/audit/export',
  operationId: 'exportAuditEntries',
  summary: 'Export the audit log as CSV',
  description:
    'Takes the filters of the list, newest first. RFC 4180 in UTF-8, times in UTC. A text that a spreadsheet would take for a formula begins with an apostrophe. The export is itself recorded.',
  isExport: true,
  mediaTypes: ['text/csv'],
  parameters: Type.Object({ ...exported, ...dialectParameter }),
  answer: Type.Object({}),
  read: (query) => withDialect(readFilters(query), query),
  query: ({ isSealed: _, dialect: __, ...input }, { accountId, cursor }) => ({
    type: 'ListAudit',
    accountId,
    ...input,
    ...readPlace(cursor),
    pageSize: bounds.auditPieceRows,
  }),
  view: (listed, input, request) => {
    const { from, to, dialect } = input
    return {
      piece: csvPiece(auditCsv, listed.rows.map(shown(input, request)), dialect, request),
      next: nextPlace(request.cursor, listed, bounds.auditPieceRows),
      contentType: 'text/csv; charset=utf-8',
      fileName: `audit_${from ?? 'all'}_${to ?? 'now'}.csv`,
    }
  },
})

export const verifyAuditLogRoute = queryRoute({
  ...ofAudit,
  path: '/v1/audit/verify',
  operationId: 'verifyAuditLog',
  summary: 'Verify the audit log',
  description:
    'Computes the hash of every entry again. Each is the SHA-256 of the entry as the list shows it with `sealed=true`, without `hash`, as canonical JSON (RFC 8785), so that anybody can compute it, also of entries of people who were erased.',
  answer: auditCheck.schema,
  query: (_, { accountId }) => ({ type: 'VerifyAudit', accountId }) as const,
  view: (chain) => ({ body: auditCheck.view(chain) }),
})
