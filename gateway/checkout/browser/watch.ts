/** Loads the page anew, by its address without a place in it: browsers take another place for the same page. */
export const loadAnew = (): void => location.replace(location.pathname + location.search)

/**
 * Loads the page anew once the payment has changed: by the server's stream, or where that does not come through, by asking every three
 * seconds, and every ten after five minutes. A hidden page asks nothing until it is seen.
 */
export const watchPayment = (path: string, version: string): void => {
  const heard = (text: string): void => {
    const status = JSON.parse(text) as { readonly version: string }
    if (status.version !== version) loadAnew()
  }

  const startedAt = performance.now()
  let isPolling = false
  const ask = (): void => {
    isPolling = true
    const pause = performance.now() - startedAt < 300_000 ? 3000 : 10_000
    setTimeout(() => {
      if (document.hidden) {
        isPolling = false
        return
      }
      fetch(`${path}/status`, { cache: 'no-store' })
        .then((response) => (response.ok ? response.text() : null))
        .then((text) => {
          if (text !== null) heard(text)
        })
        // Without a line the next question may come through.
        .catch(() => undefined)
        .then(ask)
    }, pause)
  }

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && source === null && !isPolling) ask()
  })

  let source: EventSource | null = null
  if (typeof EventSource === 'undefined') {
    ask()
    return
  }
  source = new EventSource(`${path}/events`)
  source.addEventListener('status', (event) => heard((event as MessageEvent<string>).data))
  source.addEventListener('error', () => {
    if (source?.readyState !== EventSource.CLOSED) return
    source = null
    if (!isPolling) ask()
  })
}
