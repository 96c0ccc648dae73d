import { api, downloadPath, type Schemas } from '../core/api.ts'
import { useNow } from '../core/clock.ts'
import { day, digitableLine, distance } from '../core/format.ts'
import { t } from '../core/language.ts'
import { useGet } from '../core/query.ts'
import { currentPlace } from '../core/router.ts'
import { assetText } from './asset.tsx'
import { Amount, LinkButton, Moment, Section } from './basics.tsx'
import { CopyBox } from './copy-box.tsx'
import { SandboxActions } from './sandbox-actions.tsx'

type Detail = Schemas['TransactionDetail']

/** What the payer needs while it can be paid: QR Code, code to copy, typeable line, PDF. And the Sandbox's way to pay it. */
export const PayerInstructions = ({ of }: { of: Detail }) => {
  const { pix, boleto, crypto } = of
  const isPayable = of.status === 'PENDING'
  // Its image comes with the charge alone.
  const coin = useGet(crypto && isPayable ? '/v1/crypto/charges/{id}' : null, { path: { id: of.id } })
  const isSandbox = currentPlace()?.environment === 'SANDBOX'
  const actions = isSandbox ? simulations(of) : []
  if (!isPayable) return actions.length === 0 ? null : <SandboxActions of={actions} />
  const code = pix?.copyPaste ?? crypto?.uri ?? null
  const image = crypto ? coin.data?.crypto.qrCode : downloadPath(imagePath(of), { size: '6' })
  return (
    <Section title={t.instructions.title} note={of.expiresAt && <Expiry at={of.expiresAt} />}>
      <div class="instructions">
        {code && image && <img class="qr" src={image} alt={t.instructions.qrAlt} width={180} height={180} />}
        <div>
          {boleto?.digitableLine && (
            <CopyBox
              label={t.instructions.line}
              text={digitableLine(boleto.digitableLine)}
              copied={boleto.digitableLine}
            />
          )}
          {crypto?.address && (
            <>
              <p>
                <Amount of={of.amount} currency={of.currency} size="large" /> {assetText(crypto)}
              </p>
              <CopyBox label={t.crypto.address} text={crypto.address} />
            </>
          )}
          {code && <CopyBox label={crypto ? t.crypto.uri : t.instructions.code} text={code} />}
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

const imagePath = ({ id, boleto, origin }: Detail): string => {
  if (boleto) return `/v1/boletos/${id}/qr-code`
  return origin === 'DEPOSIT' ? `/v1/pix/deposits/${id}/qr-code` : `/v1/pix/charges/${id}/qr-code`
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
  if (method === 'CRYPTO' && status === 'PENDING')
    return [
      {
        text: t.crypto.simulatePaid,
        act: () => api.POST('/v1/sandbox/crypto/charges/{id}/pay', { params, body: {} }),
      },
      {
        text: t.crypto.simulateSeen,
        act: () => api.POST('/v1/sandbox/crypto/charges/{id}/pay', { params, body: { confirmations: 0 } }),
      },
    ]
  if (method === 'CRYPTO' && status === 'PROCESSING')
    return [
      {
        text: t.crypto.simulateConfirm,
        act: () => api.POST('/v1/sandbox/crypto/charges/{id}/confirm', { params }),
      },
      {
        text: t.crypto.simulateDrop,
        act: () => api.POST('/v1/sandbox/crypto/charges/{id}/drop', { params }),
      },
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
