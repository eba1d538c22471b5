import { floatText, roundToCents } from '../python/numbers.ts';
import { permissions, type Phone, type Surroundings } from './models.ts';

// How the user's phone behaves. The functions change the phone that they get.

/** A phone and where it is. */
export interface InHand {
  readonly phone: Phone;
  readonly around: Surroundings;
}

export const simStatus = ({ sim_card_missing, sim_card_status }: Phone): Phone['sim_card_status'] =>
  sim_card_missing ? 'missing' : sim_card_status;

/** Finds the network again. Each change of the phone that matters for it ends with this. */
export function searchNetwork({ phone, around }: InHand): void {
  const isOff =
    simStatus(phone) !== 'active' ||
    phone.airplane_mode ||
    phone.active_apn_settings.apn_name === 'broken' ||
    !around.line_active;
  if (isOff) {
    phone.network_connection_status = 'no_service';
    phone.network_technology_connected = 'none';
    phone.network_signal_strength = 'none';
    return;
  }
  phone.network_connection_status = 'connected';
  const technology = technologyFor({ phone, around });
  phone.network_technology_connected = technology;
  phone.network_signal_strength = around.signal_strength[technology] ?? 'none';
}

function technologyFor({ phone, around }: InHand): '2G' | '3G' | '4G' | '5G' {
  switch (phone.network_mode_preference) {
    case '4g_5g_preferred':
      return (around.signal_strength['5G'] ?? 'none') === 'none' ? '4G' : '5G';
    case '4g_only':
      return '4G';
    case '3g_only':
      return '3G';
    case '2g_only':
      return '2G';
    default:
      return phone.network_mode_preference satisfies never;
  }
}

const signalWords: Readonly<Record<Phone['network_signal_strength'], string>> = {
  none: '📵 No Signal',
  poor: '📶¹ Poor',
  fair: '📶² Fair',
  good: '📶³ Good',
  excellent: '📶⁴ Excellent',
};

/** What the status bar shows. */
export function statusBar(phone: Phone): string {
  const parts: string[] = [];
  if (phone.airplane_mode) parts.push('✈️ Airplane Mode');
  else {
    parts.push(signalWords[phone.network_signal_strength]);
    const technology = phone.network_technology_connected;
    if (technology !== 'none') parts.push(technology);
    if (phone.data_enabled && technology !== 'none') {
      parts.push('📱 Data Enabled');
      if (phone.data_saver_mode) parts.push('🔽 Data Saver');
    } else parts.push('📵 Data Disabled');
  }
  if (phone.wifi_enabled && phone.wifi_connected)
    parts.push(phone.wifi_ssid ? `📡 Connected to ${phone.wifi_ssid}` : '📡 Enabled');
  if (phone.vpn_connected) parts.push('🔒 VPN Connected');
  parts.push(`🔋 ${phone.battery_level}%`);
  return parts.join(' | ');
}

export function hasMobileData({ phone, around }: InHand): boolean {
  if (phone.airplane_mode || phone.network_signal_strength === 'none') return false;
  if (phone.network_connection_status === 'no_service') return false;
  if (around.is_abroad && (!phone.roaming_enabled || !around.roaming_allowed)) return false;
  return phone.data_enabled && !around.mobile_data_usage_exceeded;
}

/** Megabits a second, from the slowest to the fastest. */
const speeds: Readonly<Record<Phone['network_technology_connected'], readonly [number, number]>> = {
  none: [0, 0],
  '2G': [0.1, 0.4],
  '3G': [1, 5],
  '4G': [10, 100],
  '5G': [50, 500],
};
const signalFactors: Readonly<Record<Phone['network_signal_strength'], number>> = {
  none: 0,
  poor: 0.2,
  fair: 0.5,
  good: 0.8,
  excellent: 1,
};

/** The speed of mobile data in megabits a second; undefined where there is none. */
export function speedOf(hand: InHand): { readonly speed: number | undefined; readonly word: string } {
  if (!hasMobileData(hand)) return { speed: undefined, word: 'No Connection' };
  const { phone } = hand;
  let factor = phone.vpn_connected && phone.vpn_details?.server_performance === 'poor' ? 0.1 : 1;
  if (phone.data_saver_mode) factor *= 0.2;
  const [least, most] = speeds[phone.network_technology_connected];
  // in the order of the original, so that floats are equal
  const speed = roundToCents(((least + most) / 2) * signalFactors[phone.network_signal_strength] * factor);
  const word =
    speed < 1 ? 'Very Poor' : speed < 5 ? 'Poor' : speed < 25 ? 'Fair' : speed < 100 ? 'Good' : 'Excellent';
  return { speed, word };
}

export function canSendMms(hand: InHand): boolean {
  const { phone } = hand;
  if (!hasMobileData(hand) || phone.network_technology_connected === '2G') return false;
  if (phone.wifi_calling_enabled && phone.wifi_calling_mms_over_wifi) return false;
  if (phone.active_apn_settings.mmsc_url === null) return false;
  const may = appCalled(phone, 'messaging')?.permissions;
  return may !== undefined && may.storage && may.sms;
}

export const appCalled = (phone: Phone, name: string): Phone['app_statuses'][number][1] | undefined =>
  phone.app_statuses.find(([app]) => app === name)?.[1];

export type Permission = keyof Phone['app_statuses'][number][1]['permissions'];
export const permissionNames = Object.keys(permissions.shape) as readonly Permission[];
export const permissionCalled = (name: string): Permission | undefined =>
  permissionNames.find((known) => known === name.toLowerCase());

/** The permissions that an app has, in the words of the original. */
export const granted = (app: Phone['app_statuses'][number][1]): readonly string[] =>
  permissionNames.filter((name) => app.permissions[name]);

export function toggleAirplaneMode(hand: InHand): boolean {
  const { phone } = hand;
  const isOn = !phone.airplane_mode;
  phone.airplane_mode = isOn;
  if (isOn || phone.wifi_enabled) loseWifi(phone);
  if (isOn && phone.vpn_connected) disconnectVpn(phone);
  searchNetwork(hand);
  return isOn;
}

export function loseWifi(phone: Phone): void {
  phone.wifi_connected = false;
  phone.wifi_ssid = null;
  phone.wifi_signal_strength = 'none';
}

export function connectVpn(phone: Phone): boolean {
  if (phone.vpn_connected) return false;
  phone.vpn_connected = true;
  phone.vpn_details = {
    server_address: '192.168.1.1',
    protocol: 'OpenVPN',
    server_performance: phone.new_vpn_performance,
  };
  return true;
}

export function disconnectVpn(phone: Phone): boolean {
  if (!phone.vpn_connected) return false;
  phone.vpn_connected = false;
  phone.vpn_details = null;
  return true;
}

/** The details of a VPN as Python prints a dictionary. */
export function vpnText({
  server_address,
  protocol,
  server_performance,
}: NonNullable<Phone['vpn_details']>): string {
  const text = (value: string | null): string => (value === null ? 'None' : `'${value}'`);
  return `{'server_address': ${text(server_address)}, 'protocol': ${text(protocol)}, 'server_performance': <PerformanceLevel.${server_performance.toUpperCase()}: '${server_performance}'>}`;
}

/** An amount in dollars as Python prints a float. */
export const amountText = floatText;
