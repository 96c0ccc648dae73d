import Type, { type Static } from 'typebox'
import type { RegisterBeneficiary } from '../../../engine/money-out/commands.ts'
import { bankOf } from '../../../engine/shared/banks.ts'
import { readDocument } from '../../../engine/shared/documents.ts'
import type { BeneficiaryId, KeyLookupId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute, type Read } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { notFound } from '../../problems/problem.ts'
import { bankAccountType } from '../../resources/account/company.ts'
import { booleanOf } from '../../resources/fields.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { beneficiary, beneficiaryStatus, beneficiaryWay } from '../../resources/money-out/beneficiary.ts'
import {
  documentField,
  idParameter,
  oneOrMore,
  orNull,
  searchParameter,
  textUpTo,
} from '../../schema/schema.ts'
import { bankAccountFields } from '../bank-account-fields.ts'
import { refusedField } from '../charge-input.ts'
import { forExisting, forNew } from '../command-target.ts'
import { othersWho, standingOfAsker } from '../others-who.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { searchTextOf } from '../search-text.ts'

const ofTransfers = { tag: 'Transfers', product: null } as const
const reads = { ...ofTransfers, verb: 'GET', permission: 'balance.read', isForPeople: true } as const
const manages = { ...ofTransfers, permission: 'beneficiaries.manage' } as const
const nickname = textUpTo(bounds.nameCharsMax, 'What your people call it.')

const registration = Type.Object(
  {
    lookupId: Type.Optional(
      idParameter('The look-up that found the owner of a PIX key, or else the fields below.'),
    ),
    name: Type.Optional(textUpTo(bounds.nameCharsMax, 'Name of the person or company.')),
    document: Type.Optional(documentField),
    ...Type.Partial(Type.Object(bankAccountFields)).properties,
    ispb: Type.Optional(
      Type.String({
        format: 'ispb',
        description: 'The bank in the payment system, eight digits, instead of `bankCode`.',
        examples: ['60701190'],
      }),
    ),
    accountType: Type.Optional(bankAccountType),
    nickname: Type.Optional(nickname),
  },
  {
    examples: [
      {
        name: 'Comercial Aurora Ltda',
        document: '11222333000181',
        bankCode: '341',
        branch: '1234-5',
        account: '123456-7',
        accountType: 'CHECKING',
      },
    ],
  },
)

type Registered = Pick<RegisterBeneficiary, 'of' | 'nickname'>

export const createBeneficiaryRoute = commandRoute({
  ...manages,
  factor: 'OPERATION',
  verb: 'POST',
  path: '/v1/beneficiaries',
  operationId: 'createBeneficiary',
  summary: 'Register a beneficiary',
  description:
    'The owner of a PIX key that you have looked up, or of a bank account. In its first 24 hours it can get only little in a day. Who it is never changes.',
  status: 201,
  idempotent: true,
  refusals: [409, 422],
  body: registration,
  answer: beneficiary.schema,
  read: (body: Static<typeof registration>) => readRegistration(body),
  command: (input: Registered, request) => ({
    type: 'RegisterBeneficiary',
    ...forNew('beneficiaryId', request),
    ...input,
  }),
  view: ({ state, nowMs }) => ({
    location: `/v1/beneficiaries/${state.id}`,
    body: beneficiary.view(state, nowMs),
  }),
})

const wanted = ['name', 'document', 'branch', 'account', 'accountType'] as const

const readRegistration = (body: Static<typeof registration>): Read<Registered> => {
  const nickname = body.nickname?.trim() ?? null
  if (body.lookupId !== undefined) {
    const given = [...wanted, 'bankCode' as const, 'ispb' as const].find((field) => body[field] !== undefined)
    if (given !== undefined)
      return refusedField(given, 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr(given, 'lookupId'))
    return { ok: true, input: { of: { lookupId: body.lookupId as KeyLookupId }, nickname } }
  }
  const { bankCode, ispb } = body
  if (bankCode !== undefined && ispb !== undefined)
    return refusedField('ispb', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('bankCode', 'ispb'))
  const bank = ispb !== undefined ? bankOf({ ispb }) : bankCode !== undefined ? bankOf({ bankCode }) : null
  const missing = [...wanted, 'bankCode' as const].filter((field) =>
    field === 'bankCode' ? bank === null : body[field] === undefined,
  )
  if (missing.length > 0)
    return {
      ok: false,
      errors: missing.map((field) => ({ field, code: 'REQUIRED', message: (say) => say.required(field) })),
    }
  const { branch, account, accountType } = body as Required<typeof body>
  const place = { ...bank!, branch, account, accountType, pixKey: null, bankName: null }
  const payee = { name: body.name!.trim(), ...readDocument(body.document!)!, ...place }
  return { ok: true, input: { of: { payee }, nickname } }
}

export const listBeneficiariesRoute = queryRoute({
  ...reads,
  path: '/v1/beneficiaries',
  operationId: 'listBeneficiaries',
  summary: 'List beneficiaries',
  description: 'Newest first, those that were removed included.',
  parameters: pagingParameters({
    status: oneOrMore(beneficiaryStatus),
    kind: oneOrMore(beneficiaryWay),
    q: searchParameter('Searches name, nickname, document, PIX key and id.'),
  }),
  answer: listOfRows(beneficiary.schema),
  read: (query) =>
    readPaging(query, {
      statuses: query.status ?? [],
      kinds: query.kind ?? [],
      search: searchTextOf(query.q),
    }),
  query: (input, { accountId }) => ({ type: 'ListBeneficiaries', accountId, ...input }) as const,
  view: (listed, input) => ({
    body: listView(listed, input, (found) => beneficiary.view(found, listed.nowMs)),
  }),
})

export const getBeneficiaryRoute = queryRoute({
  ...reads,
  path: '/v1/beneficiaries/:id',
  operationId: 'getBeneficiary',
  summary: 'Get one beneficiary',
  description: 'With whether it still cools off.',
  refusals: [404],
  answer: beneficiary.schema,
  query: (_, { accountId, id }) =>
    ({ type: 'FindBeneficiary', accountId, beneficiaryId: id as BeneficiaryId }) as const,
  view: (found) =>
    found === null ? notFound('beneficiary') : { body: beneficiary.view(found.beneficiary, found.nowMs) },
})

export const changeBeneficiaryRoute = commandRoute({
  ...manages,
  factor: 'OPERATION',
  verb: 'PATCH',
  path: '/v1/beneficiaries/:id',
  operationId: 'changeBeneficiary',
  summary: 'Change a beneficiary',
  description:
    'What is left out stays. Trust is a loosening: where another person may manage limits, one of these has to send the same, and it counts 24 hours after that; it ends at once. Whom the money goes to never changes: register another one.',
  refusals: [404, 422],
  body: Type.Object({
    nickname: Type.Optional(orNull(nickname)),
    trusted: Type.Optional(booleanOf('The limit of the night does not count for a trusted one.')),
  }),
  answer: beneficiary.schema,
  read: ({ nickname, trusted }) => ({
    ...(nickname !== undefined && { nickname: nickname?.trim() ?? null }),
    ...(trusted !== undefined && { trusted }),
  }),
  command: (input, request) => ({
    type: 'ChangeBeneficiary',
    ...forExisting('beneficiaryId', request),
    ...input,
    standing: standingOfAsker('limits.manage', request),
    hasOther: othersWho('limits.manage', request) > 0,
  }),
  view: ({ state, nowMs }) => ({ body: beneficiary.view(state, nowMs) }),
})

export const deleteBeneficiaryRoute = commandRoute({
  ...manages,
  factor: 'SESSION',
  verb: 'DELETE',
  path: '/v1/beneficiaries/:id',
  operationId: 'deleteBeneficiary',
  summary: 'Remove a beneficiary',
  description:
    'Nothing can be sent to it any more, and what waits is cancelled. It stays readable: history keeps naming whom it paid.',
  refusals: [404],
  answer: beneficiary.schema,
  command: (_, request) => ({ type: 'RemoveBeneficiary', ...forExisting('beneficiaryId', request) }),
  view: ({ state, nowMs }) => ({ body: beneficiary.view(state, nowMs) }),
})
