/** A choice that takes effect at once. */
export const Switch = ({
  isOn,
  onChange,
  text,
}: {
  isOn: boolean
  onChange: (isOn: boolean) => void
  text: string
}) => (
  <label class="switch">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{text}</span>
  </label>
)
