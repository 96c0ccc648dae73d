/**
 * The card is typed into a frame of another host, and only a token comes back: this page never sees the number. The frame has no
 * origin of its own that a browser would name, so it is known by its window and by the number of the question.
 */
export const keepCard = (): void => {
  const frame = document.querySelector<HTMLIFrameElement>('#card-frame')
  const field = document.querySelector<HTMLInputElement>('#card')
  const form = frame?.closest('form')
  if (!frame || !field || !form) return

  let question = ''
  const isCard = (): boolean => {
    const chosen =
      form.querySelector<HTMLInputElement>('[name=method]:checked') ??
      form.querySelector<HTMLInputElement>('[name=method]')
    return chosen?.value.endsWith('_CARD') === true
  }

  form.addEventListener(
    'submit',
    (event) => {
      if (!isCard() || field.value !== '') return
      event.preventDefault()
      event.stopImmediatePropagation()
      question = crypto.getRandomValues(new Uint32Array(2)).join('-')
      frame.contentWindow?.postMessage({ type: 'tokenize', question }, '*')
    },
    { capture: true },
  )

  addEventListener('message', ({ source, data }: MessageEvent<FromFrame>) => {
    if (source !== frame.contentWindow) return
    if (data.type === 'height') frame.style.height = `${Math.min(900, Math.max(120, Number(data.height)))}px`
    if (data.type !== 'token' || data.question !== question || question === '') return
    field.value = JSON.stringify(data.card)
    question = ''
    form.requestSubmit()
  })
}

type FromFrame =
  | { readonly type: 'height'; readonly height: number }
  | { readonly type: 'token'; readonly question: string; readonly card: object }
