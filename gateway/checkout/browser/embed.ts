// Opens a payment page in a dialog over the merchant's page: `PaymentPage.open(url, { onCompleted, onClosed })`.
type Handlers = {
  readonly onCompleted?: (sessionId: string) => void
  readonly onClosed?: () => void
}

const openPage = (url: string, handlers: Handlers = {}): { readonly close: () => void } => {
  const address = new URL(url)
  address.searchParams.set('embed', location.origin)
  const dialog = document.createElement('dialog')
  const frame = document.createElement('iframe')
  frame.src = address.href
  frame.allow = 'clipboard-write'
  frame.title = 'Pagamento'
  dialog.style.cssText =
    'padding:0;border:0;border-radius:12px;width:min(28rem,100vw);height:min(46rem,100vh);max-height:100vh;overflow:hidden'
  frame.style.cssText = 'border:0;width:100%;height:100%;display:block'
  const close = (): void => {
    removeEventListener('message', hear)
    dialog.close()
    dialog.remove()
    handlers.onClosed?.()
  }
  const hear = ({
    origin,
    source,
    data,
  }: MessageEvent<{ readonly type?: string; readonly sessionId?: string }>): void => {
    if (origin !== address.origin || source !== frame.contentWindow) return
    if (data.type === 'completed') handlers.onCompleted?.(data.sessionId ?? '')
    if (data.type === 'closed') close()
  }
  addEventListener('message', hear)
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
  })
  dialog.append(frame)
  document.body.append(dialog)
  dialog.showModal()
  return { close }
}

Object.assign(window, { PaymentPage: { open: openPage } })
