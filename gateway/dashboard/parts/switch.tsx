type SwitchProps = { isOn: boolean; onChange: (isOn: boolean) => void; text: string }

/** A choice that takes effect at once. */
export const Switch = ({ isOn, onChange, text }: SwitchProps) => (
  <label class="switch">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{text}</span>
  </label>
)
