import Type from 'typebox'
import type { Permission } from '../../../engine/people/permission.ts'
import { type SearchedKind, searchedKinds } from '../../../engine/search/queries.ts'
import { bounds as engineBounds } from '../../../engine/shared/bounds.ts'
import { foldCase } from '../../../engine/shared/fold-case.ts'
import { queryRoute, type RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { withAsciiDomain } from '../../base/emails.ts'
import { isAllowed } from '../../identity/caller.ts'
import { searchAnswer, searchView } from '../../resources/account/search-hit.ts'
import { described } from '../../schema/named-schema.ts'
import { wantedBy } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'

const requiredSearch = Type.String({ minLength: bounds.searchCharsMin, maxLength: bounds.searchCharsMax })

export const searchRoute = queryRoute({
  verb: 'GET',
  path: '/v1/search',
  operationId: 'search',
  summary: 'Search everything',
  description:
    'Looks for ids of any kind; external, end-to-end and boleto numbers; documents, names and e-mails of payers; coupon codes, invoice numbers, names of plans and wallets, URLs of endpoints. Only what the role may read is searched. Names of plans, coupons, payees of transfers, wallets of withdrawals and of customers who have not paid yet are looked for among the newest 200.',
  tag: 'Dashboard',
  permission: 'MEMBER',
  product: null,
  parameters: Type.Object({
    q: described(requiredSearch, 'What to look for.'),
  }),
  answer: searchAnswer,
  read: ({ q }) => {
    const text = withAsciiDomain(q.trim())
    return text.length < bounds.searchCharsMin ? tooShort : ({ ok: true, input: text } as const)
  },
  query: (text, { accountId, caller }) => ({
    type: 'Search' as const,
    accountId,
    text,
    kinds: searchedKinds.filter((kind) => isAllowed(caller, neededFor[kind])),
  }),
  view: (found, text, request) => ({
    body: searchView(found, keysOf(text, request), endpointsOf(text, request), request.atMs),
  }),
})

const tooShort = refusedField('query.q', 'TOO_SHORT', (say) =>
  say.mustBe('query.q', wantedBy(requiredSearch, say)),
)

const neededFor: Readonly<Record<SearchedKind, Permission>> = {
  transaction: 'transactions.read',
  customer: 'charges.read',
  subscription: 'subscriptions.read',
  invoice: 'subscriptions.read',
  plan: 'subscriptions.read',
  coupon: 'subscriptions.read',
  delivery: 'webhooks.read',
  transfer: 'balance.read',
  withdrawal: 'balance.read',
}

/** A company has few keys and endpoints, so all are looked at. */
const keysOf = (text: string, { directory, company, environment, caller }: RequestContext) =>
  isAllowed(caller, 'keys.read')
    ? newest(
        [...directory.keys.values()].filter(
          ({ id, clientId, last4, ...key }) =>
            key.companyId === company.id &&
            key.environment === environment &&
            [id, clientId, last4].includes(text),
        ),
      )
    : []

const endpointsOf = (text: string, { directory, company, environment, caller }: RequestContext) =>
  isAllowed(caller, 'webhooks.read')
    ? newest(
        [...directory.endpoints.values()].filter(
          ({ id, url, description, ...endpoint }) =>
            endpoint.companyId === company.id &&
            endpoint.environment === environment &&
            endpoint.deletedAtMs === null &&
            (id === text || says(url, text) || says(description, text)),
        ),
      )
    : []

const newest = <One>(found: readonly One[]): readonly One[] =>
  found.slice(-engineBounds.searchHitsMax).reverse()

const says = (text: string | null, searched: string): boolean =>
  text !== null && foldCase(text).includes(foldCase(searched))
