import { commandRoute, queryRoute } from '../../api/route.ts'
import { coupon } from '../../resources/billing/coupon.ts'
import { couponStatus } from '../../resources/enumerations.ts'
import { listOfRows, wholeListView } from '../../resources/list.ts'
import { removalOf, removalView } from '../../resources/removal.ts'
import { oneOrMore } from '../../schema/schema.ts'
import { catalogFilters, catalogParameters, manageScope, readScope } from '../catalog.ts'
import { forExisting, forNew } from '../command-target.ts'
import { readWholeList, unpaginated } from '../paging.ts'
import { couponBody, couponChangesBody, couponRules, readCoupon, readCouponChanges } from './coupon-input.ts'

export const createCouponRoute = commandRoute({
  ...manageScope,
  verb: 'POST',
  path: '/v1/coupons',
  operationId: 'createCoupon',
  summary: 'Create a coupon',
  description:
    'A discount on the plan’s amount, never on its setup fee. A subscription redeems it with `couponCode`, and keeps the discount whatever becomes of the coupon.',
  status: 201,
  refusals: [409, 422],
  body: couponBody,
  rules: couponRules,
  answer: coupon.schema,
  read: readCoupon,
  command: (input, request) => ({ type: 'CreateCoupon', ...forNew('couponId', request), ...input }),
  view: ({ state, nowMs }) => ({ location: `/v1/coupons/${state.id}`, body: coupon.view(state, nowMs) }),
})

export const listCouponsRoute = queryRoute({
  ...readScope,
  path: '/v1/coupons',
  operationId: 'listCoupons',
  summary: 'List coupons',
  description: unpaginated,
  parameters: catalogParameters('ids, codes and names', {
    status: oneOrMore(couponStatus),
  }),
  answer: listOfRows(coupon.schema),
  read: (query) => readWholeList(query, { ...catalogFilters(query), statuses: query.status ?? [] }),
  query: (input, { accountId }) => ({ type: 'ListCoupons', accountId, ...input }) as const,
  view: (listed, input) => ({ body: wholeListView(listed, input, (row) => coupon.view(row, listed.nowMs)) }),
})

export const editCouponRoute = commandRoute({
  ...manageScope,
  verb: 'PATCH',
  path: '/v1/coupons/:id',
  operationId: 'updateCoupon',
  summary: 'Change a coupon',
  description:
    'Fields that are left out stay as they are; `metadata` is replaced as a whole. `code`, the discount and its duration change only while it has not been redeemed, that is while `redemptionsCount` is 0 (409 `COUPON_IN_USE`). `maxRedemptions` is at least `redemptionsCount`.',
  refusals: [404, 409, 422],
  body: couponChangesBody,
  answer: coupon.schema,
  read: readCouponChanges,
  command: (changes, request) => ({ type: 'EditCoupon', ...forExisting('couponId', request), changes }),
  view: ({ state, nowMs }) => ({ body: coupon.view(state, nowMs) }),
})

export const removeCouponRoute = commandRoute({
  ...manageScope,
  verb: 'DELETE',
  path: '/v1/coupons/:id',
  operationId: 'deleteCoupon',
  summary: 'Remove a coupon',
  description:
    'A coupon that was ever redeemed is only deactivated (`deleted` is false), and keeps its code; running discounts continue.',
  refusals: [404],
  answer: removalOf('CouponRemoval', 'coupon'),
  command: (_, request) => ({ type: 'RemoveCoupon', ...forExisting('couponId', request) }),
  view: ({ state }) => ({ body: removalView('coupon', state) }),
})
