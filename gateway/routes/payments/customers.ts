import Type from 'typebox'
import { readDocument } from '../../../engine/shared/documents.ts'
import type { CustomerId } from '../../../engine/shared/ids.ts'
import { sortedMetadata } from '../../../engine/shared/metadata.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { readInternationalEmail } from '../../base/emails.ts'
import { notFound } from '../../problems/problem.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { customerInput, readCustomer, registeredCustomer } from '../../resources/payments/customer.ts'
import { exactParameter, metadata, searchParameter, textUpTo } from '../../schema/schema.ts'
import { forNew } from '../command-target.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { searchTextOf } from '../search-text.ts'

const ofCustomers = { tag: 'Customers', product: null } as const

export const createCustomerRoute = commandRoute({
  ...ofCustomers,
  verb: 'POST',
  path: '/v1/customers',
  operationId: 'createCustomer',
  summary: 'Register a customer',
  description:
    'Always creates a new entry: neither `document` nor `externalId` is unique. A charge for a document that is not in the register yet adds its customer automatically.',
  permission: 'charges.create',
  status: 201,
  body: Type.Object({
    ...customerInput.properties,
    externalId: Type.Optional(
      textUpTo(bounds.customerExternalIdCharsMax, 'Your own identifier of the customer.'),
    ),
    metadata: Type.Optional(metadata),
  }),
  answer: registeredCustomer.schema,
  read: (body) => ({
    customer: readCustomer(body),
    externalId: body.externalId?.trim() ?? null,
    metadata: sortedMetadata(body.metadata ?? {}),
  }),
  command: (input, request) => ({ type: 'RegisterCustomer', ...forNew('customerId', request), ...input }),
  view: ({ state }) => ({ location: `/v1/customers/${state.id}`, body: registeredCustomer.view(state) }),
})

export const listCustomersRoute = queryRoute({
  ...ofCustomers,
  verb: 'GET',
  path: '/v1/customers',
  operationId: 'listCustomers',
  summary: 'List customers',
  description: 'Lists the register of payers, newest first.',
  permission: 'charges.read',
  parameters: pagingParameters({
    document: Type.Optional(
      Type.String({ format: 'cpf-cnpj', description: 'Only those with this CPF or CNPJ.' }),
    ),
    email: Type.Optional(
      Type.String({ format: 'e-mail', description: 'Only those with this e-mail address.' }),
    ),
    externalId: exactParameter(bounds.customerExternalIdCharsMax, 'Only those with this `externalId`.'),
    q: searchParameter('Searches ids, document, name and e-mail.'),
  }),
  answer: listOfRows(registeredCustomer.schema),
  read: (query) =>
    readPaging(query, {
      document: query.document === undefined ? null : readDocument(query.document)!.document,
      email: query.email === undefined ? null : readInternationalEmail(query.email),
      externalId: query.externalId ?? null,
      search: searchTextOf(query.q),
    }),
  query: (input, { accountId }) => ({ type: 'ListCustomers', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, registeredCustomer.view) }),
})

export const getCustomerRoute = queryRoute({
  ...ofCustomers,
  verb: 'GET',
  path: '/v1/customers/:id',
  operationId: 'getCustomer',
  summary: 'Get one customer',
  description:
    'Shows one entry of the register. Charges keep a copy of the data that they were created with.',
  permission: 'charges.read',
  refusals: [404],
  answer: registeredCustomer.schema,
  query: (_, { accountId, id }) =>
    ({ type: 'FindCustomer', accountId, customerId: id as CustomerId }) as const,
  view: (found) => (found === null ? notFound('customer') : { body: registeredCustomer.view(found) }),
})
