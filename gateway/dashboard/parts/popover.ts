import { useEffect, useRef, useState } from 'preact/hooks'

/** The props of a button and of the panel that it opens, which a press anywhere else closes. */
export const usePopover = (id: string) => {
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const onBeforeToggle = ({ newState }: { newState: string }): void => {
    if (newState === 'open') place(panel.current!, button.current!)
    setOpen(newState === 'open')
  }
  // A window that becomes narrower, or a page that is zoomed in, would leave it outside.
  useEffect(() => {
    if (!isOpen) return
    const onResize = (): void => {
      if (panel.current && button.current) place(panel.current, button.current)
    }
    addEventListener('resize', onResize)
    return () => removeEventListener('resize', onResize)
  }, [isOpen])
  return {
    button: { ref: button, popovertarget: id, 'aria-expanded': isOpen },
    panel: { id, ref: panel, popover: 'auto', onBeforeToggle } as const,
    isOpen,
    close: () => panel.current?.hidePopover(),
  }
}

/** Puts a popover below its button, within the window. */
const place = (panel: HTMLElement, button: HTMLElement): void => {
  const at = button.getBoundingClientRect()
  const width = Math.min(320, innerWidth - 16)
  panel.style.setProperty('--left', `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`)
  panel.style.setProperty('--top', `${at.bottom + 6}px`)
  panel.style.setProperty('--height', `${Math.max(200, innerHeight - at.bottom - 24)}px`)
}
