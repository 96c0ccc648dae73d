// Opens a payment page in a dialog over the merchant's page: `PaymentPage.open(url, { onReady, onCompleted, onClosed })`.
type Handlers = {
  /** The page is there, and can be used. */
  readonly onReady?: () => void
  readonly onCompleted?: (sessionId: string) => void
  readonly onClosed?: () => void
}

const openPage = (url: string, handlers: Handlers = {}): { readonly close: () => void } => {
  const address = new URL(url)
  address.searchParams.set('embed', location.origin)
  const dialog = document.createElement('dialog')
  const frame = document.createElement('iframe')
  const away = document.createElement('button')
  frame.src = address.href
  frame.allow = 'clipboard-write'
  frame.title = 'Pagamento'
  dialog.style.cssText =
    'padding:0;border:0;border-radius:12px;width:min(28rem,100vw);height:min(46rem,100dvh);max-width:100vw;max-height:100dvh;overflow:hidden;background:Canvas'
  frame.style.cssText = 'border:0;width:100%;height:calc(100% - 44px);display:block'
  // A telephone has no Escape key.
  away.textContent = '×'
  away.title = 'Fechar'
  away.style.cssText =
    'display:block;margin-left:auto;width:44px;height:44px;border:0;background:none;color:CanvasText;font:24px/1 sans-serif;cursor:pointer'
  let isReady = false
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
  }: MessageEvent<{
    readonly type?: string
    readonly sessionId?: string
    readonly height?: number
  }>): void => {
    if (origin !== address.origin || source !== frame.contentWindow) return
    // Every page of the session says so; the merchant hears of the first.
    if (data.type === 'ready' && !isReady) {
      isReady = true
      handlers.onReady?.()
    }
    if (data.type === 'resize')
      dialog.style.height = `min(${Math.max(Number(data.height), 320) + 44}px, 100dvh)`
    if (data.type === 'completed') handlers.onCompleted?.(data.sessionId ?? '')
    if (data.type === 'closed') close()
  }
  addEventListener('message', hear)
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
  })
  away.addEventListener('click', close)
  dialog.append(away, frame)
  document.body.append(dialog)
  dialog.showModal()
  return { close }
}

Object.assign(window, { PaymentPage: { open: openPage } })
