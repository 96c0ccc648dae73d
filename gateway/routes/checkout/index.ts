// Routes of pages where payers pay: checkout sessions and payment links.
import type { Route } from '../../api/route.ts'
import { changeCheckoutBrandingRoute, getCheckoutBrandingRoute } from './branding.ts'
import {
  createPaymentLinkRoute,
  deactivatePaymentLinkRoute,
  editPaymentLinkRoute,
  getPaymentLinkQrRoute,
  getPaymentLinkRoute,
  listPaymentLinksRoute,
} from './links.ts'
import { createPortalSessionRoute, getPortalRoute } from './portal.ts'
import {
  createCheckoutSessionRoute,
  expireCheckoutSessionRoute,
  getCheckoutSessionRoute,
  listCheckoutSessionsRoute,
} from './sessions.ts'

export const checkoutRoutes: readonly Route[] = [
  createCheckoutSessionRoute,
  listCheckoutSessionsRoute,
  getCheckoutSessionRoute,
  expireCheckoutSessionRoute,
  createPaymentLinkRoute,
  listPaymentLinksRoute,
  getPaymentLinkRoute,
  getPaymentLinkQrRoute,
  editPaymentLinkRoute,
  deactivatePaymentLinkRoute,
  createPortalSessionRoute,
  getPortalRoute,
  getCheckoutBrandingRoute,
  changeCheckoutBrandingRoute,
]
