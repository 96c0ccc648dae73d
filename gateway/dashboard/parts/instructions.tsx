import { api, downloadPath, type Schemas } from '../core/api.ts'
import { useNow } from '../core/clock.ts'
import { day, digitableLine, distance } from '../core/format.ts'
import { t } from '../core/language.ts'
import { currentPlace } from '../core/router.ts'
import { LinkButton, Moment, Section } from './basics.tsx'
import { CopyBox } from './copy-box.tsx'
import { SandboxActions } from './sandbox-actions.tsx'

type Detail = Schemas['TransactionDetail']

/** What the payer needs while it can be paid: QR Code, code to copy, typeable line, PDF. And the Sandbox's way to pay it. */
export const PayerInstructions = ({ of }: { of: Detail }) => {
  const { pix, boleto } = of
  const isPayable = of.status === 'PENDING'
  const isSandbox = currentPlace()?.environment === 'SANDBOX'
  const actions = isSandbox ? simulations(of) : []
  if (!isPayable) return actions.length === 0 ? null : <SandboxActions of={actions} />
  const code = pix?.copyPaste ?? null
  const image = boleto
    ? `/v1/boletos/${of.id}/qr-code`
    : of.origin === 'DEPOSIT'
      ? `/v1/pix/deposits/${of.id}/qr-code`
      : `/v1/pix/charges/${of.id}/qr-code`
  return (
    <Section title={t.instructions.title} note={of.expiresAt && <Expiry at={of.expiresAt} />}>
      <div class="instructions">
        {code && (
          <img
            class="qr"
            src={downloadPath(image, { size: '6' })}
            alt={t.instructions.qrAlt}
            width={180}
            height={180}
          />
        )}
        <div>
          {boleto?.digitableLine && (
            <CopyBox
              label={t.instructions.line}
              text={digitableLine(boleto.digitableLine)}
              copied={boleto.digitableLine}
            />
          )}
          {code && <CopyBox label={t.instructions.code} text={code} />}
          {boleto && (
            <div class="actions">
              <LinkButton icon="download" href={downloadPath(`/v1/boletos/${of.id}/pdf`)} target="_blank">
                {t.instructions.pdf}
              </LinkButton>
              <span class="hint">{t.instructions.due(day(boleto.dueDate))}</span>
            </div>
          )}
        </div>
      </div>
      <SandboxActions of={actions} />
    </Section>
  )
}

const Expiry = ({ at }: { at: string }) => {
  const now = useNow()
  return (
    <>
      {t.instructions.expires} {distance(at, now)} (<Moment at={at} />)
    </>
  )
}

/** What the Sandbox can do with a transaction as it stands. */
const simulations = ({
  id,
  method,
  status,
  origin,
}: Detail): { text: string; act: () => Promise<unknown> }[] => {
  const params = { path: { id } }
  const isPaid = ['APPROVED', 'PARTIALLY_REFUNDED'].includes(status)
  const settle = {
    text: t.sandbox.settle,
    act: () => api.POST('/v1/sandbox/transactions/{id}/settle', { params }),
  }
  if (method === 'PIX' && status === 'PENDING')
    return [
      { text: t.sandbox.pay, act: () => api.POST('/v1/sandbox/pix/charges/{id}/pay', { params, body: {} }) },
      ...(origin === 'DEPOSIT'
        ? []
        : [
            {
              text: t.sandbox.expire,
              act: () => api.POST('/v1/sandbox/pix/charges/{id}/expire', { params }),
            },
          ]),
    ]
  if (method === 'BOLETO' && status === 'PENDING')
    return [
      {
        text: t.sandbox.payBarcode,
        act: () => api.POST('/v1/sandbox/boletos/{id}/pay', { params, body: { by: 'BAR_CODE' } }),
      },
      {
        text: t.sandbox.payPix,
        act: () => api.POST('/v1/sandbox/boletos/{id}/pay', { params, body: { by: 'PIX' } }),
      },
      { text: t.sandbox.expire, act: () => api.POST('/v1/sandbox/boletos/{id}/expire', { params }) },
    ]
  if (method === 'PIX' && isPaid)
    return [
      settle,
      { text: t.sandbox.med, act: () => api.POST('/v1/sandbox/transactions/{id}/med', { params, body: {} }) },
    ]
  if (method === 'CREDIT_CARD' && isPaid)
    return [
      settle,
      {
        text: t.sandbox.chargeback,
        act: () => api.POST('/v1/sandbox/card-payments/{id}/chargeback', { params, body: {} }),
      },
    ]
  if (method === 'CREDIT_CARD' && status === 'PROCESSING')
    return (['APPROVED', 'DECLINED', 'FAILED'] as const).map((result) => ({
      text: t.status[result],
      act: () => api.POST('/v1/sandbox/card-payments/{id}/resolve', { params, body: { result } }),
    }))
  return isPaid ? [settle] : []
}
