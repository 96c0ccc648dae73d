import {
  pixCharge,
  pixChargeDetail,
  pixDeposit,
  pixDepositDetail,
} from '../../../resources/payments/pix-charge.ts'
import { type FamilyRoutes, getRoute, listRoute, qrCodeRoute } from '../../family.ts'
import { pixReads } from '../../groups.ts'

const pix = { group: pixReads, view: pixCharge.view, hasCodes: true } as const

const charges: FamilyRoutes = {
  ...pix,
  family: 'PIX_CHARGE',
  listPath: '/v1/pix/charges',
  path: '/v1/pix/charges',
  operations: { list: 'listPixCharges', get: 'getPixCharge' },
  nouns: { one: 'PIX charge', many: 'PIX charges' },
  resource: 'pix_charge',
  row: pixCharge.schema,
  detail: pixChargeDetail,
}

const deposits: FamilyRoutes = {
  ...pix,
  family: 'PIX_DEPOSIT',
  listPath: '/v1/pix/deposits',
  path: '/v1/pix/deposits',
  operations: { list: 'listPixDeposits', get: 'getPixDeposit' },
  nouns: { one: 'PIX deposit', many: 'PIX deposits' },
  resource: 'pix_deposit',
  row: pixDeposit,
  detail: pixDepositDetail,
}

export const listPixChargesRoute = listRoute(charges)
export const getPixChargeRoute = getRoute(charges)
export const getPixChargeQrCodeRoute = qrCodeRoute(charges, 'getPixChargeQrCode')
export const listPixDepositsRoute = listRoute(deposits)
export const getPixDepositRoute = getRoute(deposits)
export const getPixDepositQrCodeRoute = qrCodeRoute(deposits, 'getPixDepositQrCode')
