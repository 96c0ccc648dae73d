import { boletoStatus } from '../../../resources/enumerations.ts'
import { boleto, boletoDetail } from '../../../resources/payments/boleto.ts'
import { type FamilyRoutes, getRoute, listRoute, qrCodeRoute } from '../../family.ts'
import { boletoReads } from '../../groups.ts'

const boletos: FamilyRoutes = {
  group: boletoReads,
  family: 'BOLETO',
  listPath: '/v1/boletos',
  path: '/v1/boletos',
  operations: { list: 'listBoletos', get: 'getBoleto' },
  nouns: { one: 'boleto', many: 'boletos' },
  resource: 'boleto',
  row: boleto.schema,
  detail: boletoDetail,
  view: boleto.view,
  hasCodes: true,
  status: boletoStatus,
  statuses: {
    REGISTERED: { status: 'PENDING', overdue: false },
    OVERDUE: { status: 'PENDING', overdue: true },
    PROCESSING: { status: 'PROCESSING' },
    PAID: { status: 'APPROVED' },
    CANCELLED: { status: 'CANCELLED' },
    EXPIRED: { status: 'EXPIRED' },
    REJECTED: { status: 'FAILED' },
  },
}

export const listBoletosRoute = listRoute(boletos)
export const getBoletoRoute = getRoute(boletos)
export const getBoletoQrCodeRoute = qrCodeRoute(boletos, 'getBoletoQrCode')
