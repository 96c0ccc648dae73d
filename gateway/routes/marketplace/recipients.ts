import Type, { type Static } from 'typebox'
import type { BankAccount } from '../../../engine/recipients/recipient.ts'
import { readDocument } from '../../../engine/shared/documents.ts'
import type { RecipientId } from '../../../engine/shared/ids.ts'
import { sortedMetadata } from '../../../engine/shared/metadata.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { readInternationalEmail } from '../../base/emails.ts'
import { invalidField, notFound } from '../../problems/problem.ts'
import { booleanOf } from '../../resources/fields.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { recipient } from '../../resources/marketplace/recipient.ts'
import { removalOf, removalView } from '../../resources/removal.ts'
import { idsParameter, metadata, orNull, searchParameter, textUpTo } from '../../schema/schema.ts'
import { bankAccountFields } from '../bank-account-fields.ts'
import { forExisting, forNew } from '../command-target.ts'
import { ofSplit } from '../groups.ts'
import { activeParameter, pagingParameters, readActive, readPaging } from '../paging.ts'
import { searchTextOf } from '../search-text.ts'

const emailField = Type.String({ format: 'e-mail', description: 'At most 254 characters.' })
export const createRecipientRoute = commandRoute({
  ...ofSplit,
  verb: 'POST',
  path: '/v1/split/recipients',
  operationId: 'createRecipient',
  summary: 'Create a recipient',
  description: 'Registers a recipient of parts of payments, with the bank account that it is paid to.',
  status: 201,
  body: Type.Object({
    name: textUpTo(bounds.nameCharsMax, 'Name of the person or company.'),
    document: Type.String({ format: 'cpf-cnpj', description: 'CPF or CNPJ. It can never be changed.' }),
    email: Type.Optional(emailField),
    ...bankAccountFields,
    metadata: Type.Optional(metadata),
  }),
  answer: recipient.schema,
  read: (body) => ({
    name: body.name.trim(),
    ...readDocument(body.document)!,
    email: body.email === undefined ? null : readInternationalEmail(body.email),
    bank: { bankCode: body.bankCode, branch: body.branch, account: body.account },
    metadata: sortedMetadata(body.metadata ?? {}),
  }),
  command: (input, request) => ({ type: 'CreateRecipient', ...forNew('recipientId', request), ...input }),
  view: ({ state }) => ({ location: `/v1/split/recipients/${state.id}`, body: recipient.view(state) }),
})

export const listRecipientsRoute = queryRoute({
  ...ofSplit,
  verb: 'GET',
  path: '/v1/split/recipients',
  operationId: 'listRecipients',
  summary: 'List recipients',
  description: 'Lists recipients with what each is owed, or owes, newest first.',
  parameters: pagingParameters({
    active: activeParameter,
    id: idsParameter('Only those with this id.'),
    document: Type.Optional(
      Type.String({ format: 'cpf-cnpj', description: 'Only those with this CPF or CNPJ.' }),
    ),
    q: searchParameter('Searches id, document and name.'),
  }),
  answer: listOfRows(recipient.schema),
  read: (query) =>
    readPaging(query, {
      active: readActive(query.active),
      ids: query.id ?? [],
      document: query.document === undefined ? null : readDocument(query.document)!.document,
      search: searchTextOf(query.q),
    }),
  query: (input, { accountId }) => ({ type: 'ListRecipients', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, recipient.view) }),
})

export const getRecipientRoute = queryRoute({
  ...ofSplit,
  verb: 'GET',
  path: '/v1/split/recipients/:id',
  operationId: 'getRecipient',
  summary: 'Get one recipient',
  description: 'Shows the recipient with what it is owed, or owes.',
  refusals: [404],
  answer: recipient.schema,
  query: (_, { accountId, id }) =>
    ({ type: 'FindRecipient', accountId, recipientId: id as RecipientId }) as const,
  view: (found) => (found === null ? notFound('recipient') : { body: recipient.view(found) }),
})

const changes = Type.Object({
  name: Type.Optional(textUpTo(bounds.nameCharsMax, 'Name of the person or company.')),
  email: Type.Optional(orNull(emailField)),
  ...Type.Partial(Type.Object(bankAccountFields)).properties,
  active: Type.Optional(booleanOf('An inactive one gets no part of new charges.')),
  metadata: Type.Optional(metadata),
})

export const changeRecipientRoute = commandRoute({
  ...ofSplit,
  verb: 'PATCH',
  path: '/v1/split/recipients/:id',
  operationId: 'changeRecipient',
  summary: 'Change a recipient',
  description: 'Fields that are left out stay as they are. The document can never be changed.',
  refusals: [404],
  guard: (body) =>
    typeof body === 'object' && body !== null && 'document' in body
      ? invalidField('document', 'INVALID_VALUE', (say) => say.documentFixed('document'))
      : null,
  body: changes,
  answer: recipient.schema,
  read: (body) => ({ changes: readChanges(body) }),
  command: (input, request) => ({
    type: 'ChangeRecipient',
    ...forExisting('recipientId', request),
    ...input,
  }),
  view: ({ state }) => ({ body: recipient.view(state) }),
})

export const deleteRecipientRoute = commandRoute({
  ...ofSplit,
  verb: 'DELETE',
  path: '/v1/split/recipients/:id',
  operationId: 'deleteRecipient',
  summary: 'Remove a recipient',
  description:
    'A recipient that a rule names, or that has received or owes money, is only deactivated (`deleted` is false).',
  refusals: [404],
  answer: removalOf('RecipientRemoval', 'recipient'),
  command: (_, request) => ({ type: 'RemoveRecipient', ...forExisting('recipientId', request) }),
  view: ({ state }) => ({ body: removalView('recipient', state) }),
})

const readChanges = (body: Static<typeof changes>) => {
  const { name, email, active } = body
  const bank: { -readonly [Name in keyof BankAccount]?: string } = {}
  if (body.bankCode !== undefined) bank.bankCode = body.bankCode
  if (body.branch !== undefined) bank.branch = body.branch
  if (body.account !== undefined) bank.account = body.account
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(email !== undefined && { email: email === null ? null : readInternationalEmail(email) }),
    ...(active !== undefined && { isActive: active }),
    ...(body.metadata !== undefined && { metadata: sortedMetadata(body.metadata) }),
    ...(Object.keys(bank).length > 0 && { bank }),
  }
}
