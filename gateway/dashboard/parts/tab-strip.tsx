import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Links of which one is current. Where they do not fit, the strip scrolls, and begins with the current one in view. */
export const TabStrip = ({
  label,
  more = '',
  children,
}: {
  label: string
  /** More classes. */
  more?: string
  children: ComponentChildren
}) => {
  const strip = useRef<HTMLElement>(null)
  /** The link that was last brought into view: what people scroll after that stays as it is. */
  const shown = useRef<Element | null>(null)
  const bring = (): void => {
    const current = strip.current?.querySelector<HTMLElement>('[aria-current]') ?? null
    shown.current = current
    if (current === null) return
    const { scrollLeft, clientWidth } = strip.current!
    const left = current.getBoundingClientRect().left - strip.current!.getBoundingClientRect().left
    const isInView = left >= 0 && left + current.offsetWidth <= clientWidth
    // Into the middle, so that it is seen that there are others on both sides. The page itself does not move.
    if (!isInView) strip.current!.scrollLeft = scrollLeft + left - (clientWidth - current.offsetWidth) / 2
  }
  useLayoutEffect(() => {
    if (strip.current?.querySelector('[aria-current]') !== shown.current) bring()
  })
  useLayoutEffect(() => {
    // A telephone that is turned has another width.
    const widths = new ResizeObserver(bring)
    widths.observe(strip.current!)
    return () => widths.disconnect()
  }, [])
  return (
    <nav ref={strip} class={`tabs ${more}`.trim()} aria-label={label}>
      {children}
    </nav>
  )
}
