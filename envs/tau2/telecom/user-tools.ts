import { z } from 'zod';
import { defineTool, type Refusal, type Tool } from '../../engines/tools/tool.ts';
import { asText } from '../generic-tools.ts';
import { draftOf } from '../rows.ts';
import type { TelecomWorld } from './look-ups.ts';
import { apnSettings, networkModes, telecomTables, type Phone, type Surroundings } from './models.ts';
import {
  amountText,
  appCalled,
  canSendMms,
  connectVpn,
  disconnectVpn,
  granted,
  loseWifi,
  permissionCalled,
  permissionNames,
  searchNetwork,
  simStatus,
  speedOf,
  statusBar,
  toggleAirplaneMode,
  vpnText,
  type InHand,
} from './phone.ts';
import { synchronise } from './sync.ts';

/** The phone and the surroundings, to be changed. */
export function inHand(world: TelecomWorld): InHand {
  return {
    phone: draftOf<Phone>(world.get('device', 'device') ?? {}),
    around: draftOf<Surroundings>(world.get('surroundings', 'surroundings') ?? {}),
  };
}

/** Lets the user do something with the phone, and brings the account in line. */
export function handle<Result>(world: TelecomWorld, act: (hand: InHand) => Result): Result | Refusal {
  const hand = inHand(world);
  const result = act(hand);
  world.put('device', hand.phone);
  world.put('surroundings', hand.around);
  return synchronise(world) ?? result;
}

type NoArgs = Readonly<Record<never, never>>;
const nothing = z.strictObject({});

/** A tool that only looks. */
const look = <Shape extends z.ZodRawShape = NoArgs>(
  name: string,
  description: string,
  of: {
    readonly input?: z.ZodObject<Shape>;
    readonly run: (hand: InHand, args: z.output<z.ZodObject<Shape>>) => string;
  },
): Tool =>
  defineTool(telecomTables, {
    name,
    description,
    input: (of.input ?? nothing) as z.ZodObject<Shape>, // without an input there are no arguments
    output: z.string(),
    run: (args, world) => of.run(inHand(world), args),
    print: asText,
  });

/** A tool that changes something. The result ends with the status bar, unless `bare`. */
const change = <Shape extends z.ZodRawShape = NoArgs>(
  name: string,
  description: string,
  of: {
    readonly input?: z.ZodObject<Shape>;
    readonly run: (hand: InHand, args: z.output<z.ZodObject<Shape>>) => string | { readonly bare: string };
  },
): Tool =>
  defineTool(telecomTables, {
    name,
    description,
    input: (of.input ?? nothing) as z.ZodObject<Shape>,
    output: z.string(),
    run: (args, world) =>
      handle(world, (hand) => {
        const said = of.run(hand, args);
        return typeof said === 'string' ? `${said}\nStatus Bar: ${statusBar(hand.phone)}` : said.bare;
      }),
    print: asText,
  });

const onOff = (isOn: boolean): string => (isOn ? 'ON' : 'OFF');
const yesNo = (is: boolean): string => (is ? 'Yes' : 'No');

const advice: Readonly<Record<string, string>> = {
  'Very Poor': 'Connection is very slow. Basic web browsing might be difficult.',
  Poor: 'Connection is slow. Web browsing may be sluggish, streaming difficult.',
  Fair: 'Connection is okay for web browsing and some standard definition streaming.',
  Good: 'Connection is good for most activities, including HD streaming.',
  Excellent: 'Connection is very fast.',
};

const simWords: Readonly<Record<Phone['sim_card_status'], string>> = {
  active: 'Your SIM card is active and working.',
  missing: 'No SIM card detected in the phone.',
  locked_pin: 'The SIM card is locked with a PIN code.',
  locked_puk: 'The SIM card is locked with a PUK code.',
};

const appInput = z.strictObject({ app_name: z.string().describe('the name of the app') });

const looks = [
  look('check_status_bar', 'Shows the icons of the status bar: signal, mobile data, Wi-Fi and battery.', {
    run: ({ phone }) => `Status Bar: ${statusBar(phone)}`,
  }),
  look('check_network_status', 'Checks the connection to cellular networks and Wi-Fi.', {
    run: ({ phone }) =>
      [
        `Airplane Mode: ${onOff(phone.airplane_mode)}`,
        `SIM Card Status: ${simStatus(phone)}`,
        `Cellular Connection: ${phone.network_connection_status}`,
        `Cellular Signal: ${phone.network_signal_strength}`,
        `Cellular Network Type: ${phone.network_technology_connected}`,
        `Mobile Data Enabled: ${yesNo(phone.data_enabled)}`,
        `Data Roaming Enabled: ${yesNo(phone.roaming_enabled)}`,
        `Wi-Fi Radio: ${onOff(phone.wifi_enabled)}`,
        `Wi-Fi Connected: ${yesNo(phone.wifi_connected)}`,
        ...(phone.wifi_connected ? [`Connected Wi-Fi Network: ${phone.wifi_ssid ?? 'None'}`] : []),
      ].join('\n'),
  }),
  look('check_network_mode_preference', 'Shows the preferred kind of network.', {
    run: ({ phone }) => `Network Mode Preference: ${phone.network_mode_preference}`,
  }),
  look('run_speed_test', 'Measures the download speed of the internet connection.', {
    run: (hand) => {
      const { speed, word } = speedOf(hand);
      if (speed === undefined) return `Speed test failed: ${word}.`;
      return `Speed Test Result: ${speed.toFixed(2)} Mbps (${word}). ${advice[word] ?? ''}`;
    },
  }),
  look('check_sim_status', 'Checks whether the SIM card works, is missing, or is locked.', {
    run: ({ phone }) => simWords[simStatus(phone)],
  }),
  look('check_data_restriction_status', 'Checks whether the phone limits the use of data.', {
    run: ({ phone }) =>
      phone.data_saver_mode ? 'Data Saver mode is ON (limits data usage).' : 'Data Saver mode is OFF.',
  }),
  look('check_apn_settings', 'Shows the APN name and the MMSC address for picture messages.', {
    run: ({ phone: { active_apn_settings: apn } }) =>
      `Current APN Name: ${apn.apn_name}\nMMSC URL (for picture messages): ${apn.mmsc_url === null || apn.mmsc_url === '' ? 'Not Set' : apn.mmsc_url}\n(These are technical settings, usually best left unchanged.)`,
  }),
  look('check_wifi_status', 'Checks the Wi-Fi: whether it is on, its network and its signal.', {
    run: ({ phone }) => {
      if (!phone.wifi_enabled) return 'Wi-Fi is turned OFF.';
      return phone.wifi_connected
        ? `Wi-Fi is ON and connected to '${phone.wifi_ssid ?? 'None'}'. Signal strength: ${phone.wifi_signal_strength}.`
        : 'Wi-Fi is ON but not connected to any network.';
    },
  }),
  look('check_wifi_calling_status', 'Checks whether calls can go over Wi-Fi.', {
    run: ({ phone }) => `Wi-Fi Calling is currently turned ${onOff(phone.wifi_calling_enabled)}.`,
  }),
  look('check_vpn_status', 'Checks whether a VPN is connected.', {
    run: ({ phone }) => {
      if (phone.vpn_connected)
        return phone.vpn_details === null
          ? 'VPN is ON and connected (no specific details available).'
          : `VPN is ON and connected. Details: ${vpnText(phone.vpn_details)}`;
      return phone.vpn_enabled_setting
        ? 'VPN is turned ON in settings, but currently not connected.'
        : 'VPN is turned OFF.';
    },
  }),
  look('check_installed_apps', 'Returns the names of all installed apps.', {
    run: ({ phone }) =>
      `The following apps are installed on the phone: ${phone.app_statuses.map(([name]) => name).join(', ')}`,
  }),
  look('check_app_status', 'Shows details about an app, such as its permissions.', {
    input: appInput,
    run: ({ phone }, { app_name }) => {
      const app = appCalled(phone, app_name);
      if (app === undefined) return `App '${app_name}' not found on this phone.`;
      const may = granted(app);
      return [
        `Status for App: ${app_name}`,
        ...(may.length === 0
          ? [' - Permissions: None granted.']
          : [' - Permissions Granted:', ...may.map((name) => `   - ${name}`)]),
      ].join('\n');
    },
  }),
  look('check_app_permissions', 'Checks which permissions an app has.', {
    input: appInput,
    run: ({ phone }, { app_name }) => {
      const app = appCalled(phone, app_name);
      if (app === undefined) return `App '${app_name}' not found on this phone.`;
      const may = granted(app);
      return may.length === 0
        ? `App '${app_name}' currently has no permissions granted.`
        : `App '${app_name}' has permission for: ${may.join(', ')}.`;
    },
  }),
  look('can_send_mms', 'Checks whether the messaging app can send MMS messages.', {
    run: (hand) => `Your messaging app ${canSendMms(hand) ? 'can' : 'cannot'} send MMS messages.`,
  }),
  look('check_payment_request', 'Checks whether the agent has sent a payment request.', {
    run: ({ around: { payment_request: request } }) =>
      request === null
        ? 'No payment request has been made.'
        : `You have a payment request for bill ${request.bill_id} of ${amountText(request.amount_due)} USD.`,
  }),
];

const changes = [
  change('set_network_mode_preference', 'Changes the preferred kind of network, such as 4g_5g_preferred.', {
    input: z.strictObject({ mode: z.string().describe('the kind of network') }),
    run: (hand, { mode }) => {
      const known = networkModes.find((one) => one === mode);
      if (known === undefined)
        return `Failed to set network mode: '${mode}' is not a valid option. Please use one of: ${networkModes.join(', ')}`;
      hand.phone.network_mode_preference = known;
      searchNetwork(hand);
      return `Preferred Network Mode set to: ${known}`;
    },
  }),
  change('toggle_airplane_mode', 'Turns airplane mode on or off.', {
    run: (hand) => `Airplane Mode is now ${onOff(toggleAirplaneMode(hand))}.`,
  }),
  change('reseat_sim_card', 'Removes the SIM card and puts it in again.', {
    run: (hand) => {
      hand.phone.sim_card_missing = false;
      searchNetwork(hand);
      return 'SIM card re-seated successfully.';
    },
  }),
  change('toggle_data', 'Turns mobile data on or off.', {
    run: (hand) => {
      hand.phone.data_enabled = !hand.phone.data_enabled;
      searchNetwork(hand);
      return `Mobile Data is now ${onOff(hand.phone.data_enabled)}.`;
    },
  }),
  change('toggle_roaming', 'Turns data roaming on or off.', {
    run: (hand) => {
      hand.phone.roaming_enabled = !hand.phone.roaming_enabled;
      searchNetwork(hand);
      return `Data Roaming is now ${onOff(hand.phone.roaming_enabled)}.`;
    },
  }),
  change('toggle_data_saver_mode', 'Turns Data Saver mode on or off.', {
    run: ({ phone }) => {
      phone.data_saver_mode = !phone.data_saver_mode;
      return `Data Saver Mode is now ${onOff(phone.data_saver_mode)}.`;
    },
  }),
  change('set_apn_settings', 'Sets the APN settings.', {
    input: z.strictObject({ apn_settings: apnSettings.strict().describe('the APN settings') }),
    run: (hand, { apn_settings }) => {
      hand.phone.active_apn_settings = apn_settings;
      searchNetwork(hand);
      return `APN settings set to: ${apn_settings.apn_name}`;
    },
  }),
  change('reset_apn_settings', 'Resets the APN settings at the next reboot.', {
    run: (hand) => {
      hand.phone.active_apn_settings.reset_at_reboot = true;
      searchNetwork(hand);
      return 'APN settings will reset at reboot.';
    },
  }),
  change('toggle_wifi', 'Turns the Wi-Fi on or off.', {
    run: ({ phone }) => {
      if (phone.airplane_mode) return 'Cannot change Wi-Fi settings while Airplane Mode is ON.';
      phone.wifi_enabled = !phone.wifi_enabled;
      if (!phone.wifi_enabled) loseWifi(phone);
      return `Wi-Fi is now ${onOff(phone.wifi_enabled)}.`;
    },
  }),
  change('toggle_wifi_calling', 'Turns calls over Wi-Fi on or off.', {
    run: ({ phone }) => {
      phone.wifi_calling_enabled = !phone.wifi_calling_enabled;
      return `Wi-Fi Calling is now ${onOff(phone.wifi_calling_enabled)}.`;
    },
  }),
  change('connect_vpn', 'Connects to the VPN.', {
    run: ({ phone }) =>
      connectVpn(phone) ? 'VPN connected successfully.' : { bare: 'VPN already connected.' },
  }),
  change('disconnect_vpn', 'Disconnects the VPN.', {
    run: ({ phone }) =>
      disconnectVpn(phone) ? 'VPN disconnected successfully.' : 'No active VPN connection to disconnect.',
  }),
  change('grant_app_permission', 'Gives an app a permission, such as storage.', {
    input: appInput.extend({
      permission: z.string().describe('the permission to grant, in lower case'),
    }),
    run: ({ phone }, { app_name, permission }) => {
      const name = permission.toLowerCase();
      const app = appCalled(phone, app_name);
      if (app === undefined) return `Error. App '${app_name}' not found. Cannot grant permission.`;
      const known = permissionCalled(name);
      if (known === undefined)
        return `Error. Permission '${name}' not tracked for app '${app_name}', available permissions: [${permissionNames.map((one) => `'${one}'`).join(', ')}]`;
      app.permissions[known] = true;
      return `Success. Permission '${name}' granted to app '${app_name}'.`;
    },
  }),
  change('reboot_device', 'Restarts the phone.', {
    run: (hand) => {
      const { phone } = hand;
      const isReset = phone.active_apn_settings.reset_at_reboot;
      if (isReset) phone.active_apn_settings = apnSettings.parse({});
      searchNetwork(hand);
      return `${isReset ? 'Resetting APN settings...\n' : ''}Restarting network services...`;
    },
  }),
  change('make_payment', 'Pays the bill for which the agent has sent a payment request.', {
    run: ({ around: { payment_request: request } }) => {
      if (request === null) return { bare: 'You do not have a payment request.' };
      request.paid = true;
      return {
        bare: `Payment of ${amountText(request.amount_due)} USD has been made for bill ${request.bill_id}.`,
      };
    },
  }),
];

/** Tools that change something. */
export const userChanges: ReadonlySet<string> = new Set(changes.map(({ name }) => name));
export const phoneTools: readonly Tool[] = [...looks, ...changes];
